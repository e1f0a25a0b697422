import assert from "node:assert/strict";
import { test } from "node:test";

import { Backoff } from "../src/backoff.js";
import { seeded } from "../testkit/make.js";

test("the limit doubles with each failure up to a cap, and begins anew after a success", () => {
  const backoff = new Backoff({ baseMs: 100, capMs: 1000, random: () => 1 });
  assert.deepEqual([1, 2, 3, 4, 5, 6].map(() => backoff.next()), [100, 200, 400, 800, 1000, 1000]);
  backoff.reset();
  assert.equal(backoff.next(), 100);
});

test("the wait is spread over the whole of it, so that pages don't come back in step", () => {
  const random = seeded(7);
  const waits = Array.from({ length: 1000 }, () => new Backoff({ baseMs: 1000, random }).next());
  const tenths = new Set(waits.map((wait) => Math.floor(wait / 100.1)));
  assert.equal(tenths.size, 10);
});

test("what the service asks for is kept, and spread on top", () => {
  assert.equal(new Backoff({ baseMs: 100, random: () => 0.5 }).next(3000), 3050);
});
