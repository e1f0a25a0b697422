import assert from "node:assert/strict";
import { test } from "node:test";

import { Store } from "../src/store.js";
import { batch, detail, detailMessage, page, removedMessage, summaryMessage, task, workflow, workflowMessage } from "../testkit/make.js";

const version = (store, id) => store.task(id)?.version;

test("a newer summary is taken, and an older or equal one is not", () => {
  const store = new Store();
  store.accept(summaryMessage("a", 2));
  store.accept(summaryMessage("a", 1, { title: "old" }));
  store.accept(summaryMessage("a", 2, { title: "same version, other words" }));
  assert.deepEqual([version(store, "a"), store.task("a").title], ["2", "Task a"]);
  store.accept(summaryMessage("a", 3));
  assert.equal(version(store, "a"), "3");
});

test("versions beyond what a number holds exactly are still told apart", () => {
  const store = new Store();
  store.accept(summaryMessage("a", "9007199254740993"));
  store.accept(summaryMessage("a", "9007199254740992"));
  assert.equal(version(store, "a"), "9007199254740993");
  store.accept(summaryMessage("a", "10000000000000000"));
  assert.equal(version(store, "a"), "10000000000000000");
});

test("an answer that was asked for early and comes late is not shown", () => {
  const store = new Store();
  store.accept(detailMessage("a", 9, { lifecycleStatus: "SUCCEEDED" }));
  store.acceptDetail(detail("a", 4));
  store.acceptPage(page([task("a", 4)]));
  store.acceptBatch(batch([task("a", 4)]), new Map());
  assert.equal(store.detail("a").lifecycleStatus, "SUCCEEDED");
  assert.equal(store.task("a").lifecycleStatus, "SUCCEEDED");
});

test("a summary says nothing about the detail, which has a gate of its own", () => {
  const store = new Store();
  store.acceptDetail(detail("a", 10));
  store.accept(summaryMessage("a", 12));
  assert.deepEqual([version(store, "a"), store.detail("a").version], ["12", "10"]);
  store.accept(detailMessage("a", 12));
  assert.equal(store.detail("a").version, "12");
});

test("a push has no reader of its own: what an answer said that this one may do stays", () => {
  const store = new Store();
  store.accept(detailMessage("a", 1));
  assert.equal(store.detail("a").permissions, null);
  store.acceptDetail(detail("a", 2, { permissions: ["VIEW", "OPERATE"] }));
  store.accept(detailMessage("a", 3));
  assert.deepEqual([store.detail("a").version, store.detail("a").permissions], ["3", ["VIEW", "OPERATE"]]);
  store.acceptDetail(detail("a", 4, { permissions: ["VIEW"] }));
  store.accept(detailMessage("a", 5));
  assert.deepEqual(store.detail("a").permissions, ["VIEW"]);
  store.accept(removedMessage("a", 6));
  store.accept(detailMessage("a", 7));
  assert.equal(store.detail("a").permissions, null);
});

test("a detail brings its summary along, so that list and page never disagree about one version", () => {
  const store = new Store();
  store.accept(summaryMessage("a", 3));
  store.accept(detailMessage("a", 5, { lifecycleStatus: "FAILED" }));
  assert.equal(store.task("a").lifecycleStatus, "FAILED");
  assert.equal(store.task("a").steps, undefined);
});

test("a workflow that is read again brings its counts, though its version is the same; a push of that version does not", () => {
  const store = new Store();
  store.accept(workflowMessage("wfl_1", 9));
  store.acceptWorkflow(workflow("wfl_1", 9, { taskCount: 4 }));
  store.accept(workflowMessage("wfl_1", 9));
  assert.equal(store.workflow("wfl_1").taskCount, 4);
  store.acceptWorkflow(workflow("wfl_1", 8, { taskCount: 5 }));
  assert.equal(store.workflow("wfl_1").taskCount, 4);
});

test("tasks and workflows are compared with their own kind only", () => {
  const store = new Store();
  store.accept(workflowMessage("wfl_1", 9));
  store.accept(summaryMessage("a", 2));
  store.accept(summaryMessage("b", 40));
  store.accept(summaryMessage("a", 3));
  store.accept(workflowMessage("wfl_1", 8));
  assert.deepEqual([version(store, "a"), version(store, "b"), store.workflow("wfl_1").version], ["3", "40", "9"]);
});

test("a removed task is gone, and late messages about it don't bring it back", () => {
  const store = new Store();
  store.accept(summaryMessage("a", 4));
  store.accept(removedMessage("a", 6));
  store.accept(summaryMessage("a", 5));
  store.acceptPage(page([task("a", 6)]));
  assert.equal(store.task("a"), null);
});

test("a removal that overtook its task keeps it out", () => {
  const store = new Store();
  store.accept(removedMessage("a", 6));
  store.accept(detailMessage("a", 5));
  assert.deepEqual([store.task("a"), store.detail("a")], [null, null]);
});

test("a task that was given again is there again", () => {
  const store = new Store();
  store.accept(removedMessage("a", 6));
  store.accept(summaryMessage("a", 7));
  assert.equal(version(store, "a"), "7");
});

test("batchGet takes away what is absent, but not what changed since it was asked", () => {
  const store = new Store();
  store.acceptPage(page([task("a", 4), task("b", 4)]));
  const asked = new Map(["a", "b"].map((id) => [id, store.stampOf(id)]));
  store.accept(summaryMessage("b", 5));
  store.acceptBatch(batch([], ["a", "b"]), asked);
  assert.deepEqual([store.task("a"), version(store, "b")], [null, "5"]);
});

test("a snapshot of the version held brings later readings, an earlier reading and a push don't", () => {
  const store = new Store();
  const reading = (second, elapsedMs) => page([task("a", 4, { asOf: `2026-01-01T00:00:${second}.000Z`, elapsedMs })]);
  store.acceptPage(reading("10", 9000));
  store.acceptPage(reading("20", 19000));
  store.acceptPage(reading("15", 14000));
  store.accept(summaryMessage("a", 4, { elapsedMs: 1 }));
  assert.equal(store.task("a").elapsedMs, 19000);
});

test("a project's crop never stands in for the whole task", () => {
  const store = new Store();
  const { ownerId, ...crop } = task("a", 5);
  store.accept({ ...summaryMessage("a", 5), task: crop });
  assert.equal(store.task("a"), null);
  store.accept(summaryMessage("a", 5));
  assert.equal(store.task("a").ownerId, "alice");
});

test("what it can't read, it leaves alone", () => {
  const store = new Store();
  store.accept(summaryMessage("a", 4));
  const strange = [null, {}, { kind: "task.summary", schemaVersion: 1 }, { ...summaryMessage("a", 9), schemaVersion: 2 }];
  strange.push({ ...summaryMessage("b", 9), kind: "task.hologram" }, summaryMessage("a", "9x"), { kind: "task.removed", schemaVersion: 1 });
  strange.push({ kind: "workflow.summary", schemaVersion: 1, epoch: "1" });
  strange.forEach((message) => store.accept(message));
  assert.equal(version(store, "a"), "4");
  assert.equal(store.tasks().length, 1);
});

test("states can't be changed behind the gate", () => {
  const store = new Store();
  store.accept(detailMessage("a", 4, { steps: [{ stepId: "s1", progress: { current: 1 } }] }));
  assert.throws(() => (store.task("a").lifecycleStatus = "FAILED"), TypeError);
  assert.throws(() => (store.detail("a").steps[0].progress.current = 2), TypeError);
});

test("listeners hear once about a batch, of what changed in it and nothing else", () => {
  const store = new Store();
  const heard = [];
  store.accept(summaryMessage("a", 4));
  const stop = store.subscribe((change) => heard.push([...change.tasks]));
  store.batch(() => ["a", "b", "a"].forEach((id, index) => store.accept(summaryMessage(id, 5 + index))));
  store.accept(summaryMessage("a", 1));
  stop();
  store.accept(summaryMessage("a", 99));
  assert.deepEqual(heard, [["a", "b"]]);
});
