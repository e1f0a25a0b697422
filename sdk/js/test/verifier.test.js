import assert from "node:assert/strict";
import { test } from "node:test";

import { Verifier } from "../src/verifier.js";
import { FakeTimers } from "../testkit/fake_timers.js";
import { seeded } from "../testkit/make.js";

function setUp({ random = () => 0, visible = true, check = async () => {} } = {}) {
  const [timers, checks, page] = [new FakeTimers(), [], { visible }];
  const verifier = new Verifier({
    check: () => {
      checks.push(timers.now());
      return check();
    },
    isVisible: () => page.visible,
    timers,
    random,
  });
  verifier.start();
  return { timers, checks, page, verifier };
}

test("it checks every thirty to sixty seconds, never in the same rhythm", async () => {
  const { timers, checks } = setUp({ random: seeded(3) });
  await timers.pass(3_600_000);
  const pauses = checks.map((at, index) => at - (checks[index - 1] ?? 0));
  assert.ok(pauses.every((pause) => pause >= 30_000 && pause <= 60_000));
  assert.ok(new Set(pauses.map(Math.round)).size > pauses.length / 2);
});

test("a page that nobody sees checks nothing, and goes on when it is seen again", async () => {
  const { timers, checks, page } = setUp();
  page.visible = false;
  await timers.pass(300_000);
  assert.deepEqual(checks, []);
  page.visible = true;
  await timers.pass(30_000);
  assert.equal(checks.length, 1);
});

test("a check at once puts the next one off by a whole pause", async () => {
  const { timers, checks, verifier } = setUp();
  await timers.pass(29_000);
  await verifier.now();
  await timers.pass(29_999);
  assert.deepEqual(checks, [29_000]);
  await timers.pass(1);
  assert.deepEqual(checks, [29_000, 59_000]);
});

test("a check that fails is no reason to stop", async () => {
  const { timers, checks } = setUp({ check: () => Promise.reject(new Error("out of reach")) });
  await timers.pass(90_000);
  assert.equal(checks.length, 3);
});

test("a stopped one checks no more", async () => {
  const { timers, checks, verifier } = setUp();
  verifier.stop();
  await timers.pass(600_000);
  assert.deepEqual(checks, []);
});
