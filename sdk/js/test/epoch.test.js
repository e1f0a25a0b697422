import assert from "node:assert/strict";
import { test } from "node:test";

import { Store } from "../src/store.js";
import { batch, page, removedMessage, summaryMessage, task } from "../testkit/make.js";

test("after a restore the lower version of the newer epoch is taken, and the higher one of the old never again", () => {
  const store = new Store();
  store.accept(summaryMessage("a", 40));
  store.accept(summaryMessage("a", 7, { epoch: "2" }));
  store.accept(summaryMessage("a", 41));
  store.acceptPage(page([task("a", 42)]));
  assert.deepEqual([store.task("a").version, store.epoch], ["7", "2"]);
});

test("what the old epoch tells of a task unknown so far is no longer true either", () => {
  const store = new Store();
  store.accept(summaryMessage("a", 1, { epoch: "2" }));
  store.accept(summaryMessage("b", 90));
  store.accept(removedMessage("a", 90));
  assert.deepEqual([store.task("b"), store.task("a").version], [null, "1"]);
});

test("listeners hear of a raised epoch, and not of the first one", () => {
  const store = new Store();
  const raised = [];
  store.subscribe((change) => raised.push(change.epochRaised));
  store.accept(summaryMessage("a", 1));
  store.acceptPage(page([], { epoch: "2" }));
  store.accept(summaryMessage("a", 1, { epoch: "2" }));
  assert.deepEqual(raised, [false, true, false]);
});

test("a task that the restored database lacks is taken away", () => {
  const store = new Store();
  store.accept(summaryMessage("a", 40));
  const asked = new Map([["a", store.stampOf("a")]]);
  store.acceptBatch(batch([], ["a"], "2"), asked);
  assert.equal(store.task("a"), null);
  store.accept(summaryMessage("a", 1, { epoch: "2", asOf: "2026-01-01T00:02:00.000Z" }));
  assert.equal(store.task("a").version, "1");
});
