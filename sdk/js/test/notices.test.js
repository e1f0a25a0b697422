import assert from "node:assert/strict";
import { test } from "node:test";

import { NoticeGate } from "../src/notices.js";
import { Store } from "../src/store.js";
import { notice, page, summaryMessage, task } from "../testkit/make.js";

function told(store) {
  const ids = [];
  store.subscribe((change) => ids.push(...change.notices.map((entry) => entry.notice.id)));
  return ids;
}

test("a notice is told once, however often its message comes", () => {
  const store = new Store();
  const ids = told(store);
  const message = summaryMessage("a", 13, { notice: notice("a", 13) });
  [message, message, structuredClone(message)].forEach((copy) => store.accept(copy));
  assert.deepEqual(ids, ["a:13"]);
});

test("a notice is told though a snapshot has brought its state already", () => {
  const store = new Store();
  const ids = told(store);
  store.acceptPage(page([task("a", 13)]));
  store.accept(summaryMessage("a", 13, { notice: notice("a", 13) }));
  assert.deepEqual(ids, ["a:13"]);
});

test("a notice that comes late is told, and its old state is not shown", () => {
  const store = new Store();
  const ids = told(store);
  store.acceptPage(page([task("a", 15, { lifecycleStatus: "SUCCEEDED" })]));
  store.accept(summaryMessage("a", 13, { notice: notice("a", 13) }));
  assert.deepEqual([ids, store.task("a").lifecycleStatus], [["a:13"], "SUCCEEDED"]);
});

test("a snapshot tells nothing: what was over before the page was opened pops up no more", () => {
  const store = new Store();
  const ids = told(store);
  store.acceptPage(page([task("a", 13, { lifecycleStatus: "FAILED" })]));
  assert.deepEqual(ids, []);
});

test("what an earlier page told is not told again", () => {
  const store = new Store({ notices: new NoticeGate(["a:13"]) });
  const ids = told(store);
  store.accept(summaryMessage("a", 13, { notice: notice("a", 13) }));
  store.accept(summaryMessage("a", 14, { notice: notice("a", 14) }));
  assert.deepEqual(ids, ["a:14"]);
});

test("only the last thousand are remembered", () => {
  const gate = new NoticeGate();
  for (let version = 1; version <= 1500; version += 1) gate.offer(notice("a", version));
  assert.equal(gate.told.length, 1000);
  assert.equal(gate.told[0], "a:501");
});
