import assert from "node:assert/strict";
import { test } from "node:test";

import { ServiceClock } from "../src/clock.js";
import { Details } from "../src/details.js";
import { Names } from "../src/names.js";
import { Snapshots } from "../src/snapshots.js";
import { Store } from "../src/store.js";
import { FakeService } from "../testkit/fake_service.js";
import { FakeTimers, settled } from "../testkit/fake_timers.js";
import { detailMessage, summaryMessage, task } from "../testkit/make.js";

function setUp() {
  const [service, store, timers, did] = [new FakeService(), new Store(), new FakeTimers(), []];
  const snapshots = new Snapshots({ api: service.api, store, clock: new ServiceClock(() => 0), names: new Names() });
  const watcher = { watch: (id) => did.push(`+${id}`), unwatch: (id) => did.push(`-${id}`) };
  return { service, store, timers, did, details: new Details({ store, snapshots, watcher, timers }) };
}

test("a detail is subscribed to first and read then; closing it ends that and no more", async () => {
  const { service, store, did, details } = setUp();
  service.set(task("a", 4), task("b", 1));
  const opening = details.open("a");
  assert.deepEqual(did, ["+a"]);
  await opening;
  await details.open("b");
  details.close("a");
  assert.deepEqual([store.detail("a").version, did, details.ids], ["4", ["+a", "+b", "-a"], ["b"]]);
});

test("opening one too many closes the one that was used least recently", async () => {
  const { service, did, details } = setUp();
  details.limit = 2;
  service.set(task("a", 1), task("b", 1), task("c", 1));
  for (const id of ["a", "b", "a", "c"]) await details.open(id);
  assert.deepEqual([details.ids, did], [["a", "c"], ["+a", "+b", "-b", "+c"]]);
});

test("a detail that stays behind its summary is read, whatever became of its subscription", async () => {
  const { service, store, timers, details } = setUp();
  service.set(task("a", 4));
  await details.open("a");
  service.set(task("a", 7));
  store.accept(summaryMessage("a", 7));
  await timers.pass(600);
  assert.deepEqual([store.detail("a").version, service.count("task")], ["7", 2]);
});

test("a detail whose message follows its summary is not read", async () => {
  const { service, store, timers, details } = setUp();
  service.set(task("a", 4));
  await details.open("a");
  store.accept(summaryMessage("a", 5));
  await timers.pass(300);
  store.accept(detailMessage("a", 5));
  await timers.pass(60_000);
  assert.equal(service.count("task"), 1);
});

test("many changes in a row are healed by one reading", async () => {
  const { service, store, timers, details } = setUp();
  service.set(task("a", 1));
  await details.open("a");
  for (let version = 2; version <= 9; version += 1) {
    service.set(task("a", version));
    store.accept(summaryMessage("a", version));
  }
  await timers.pass(600);
  assert.deepEqual([store.detail("a").version, service.count("task")], ["9", 2]);
});

test("a task that the service no longer shows is taken away", async () => {
  const { service, store, details } = setUp();
  service.set(task("a", 1));
  await details.open("a");
  service.tasks.delete("a");
  await details.read("a");
  assert.deepEqual([store.task("a"), store.detail("a")], [null, null]);
});

test("an answer read before a change and come after it changes nothing", async () => {
  const { service, store, details } = setUp();
  service.set(task("a", 4));
  const release = service.hold();
  const opening = details.open("a");
  await settled();
  store.accept(detailMessage("a", 9, { lifecycleStatus: "SUCCEEDED" }));
  release();
  await opening;
  assert.deepEqual([store.detail("a").version, store.task("a").lifecycleStatus], ["9", "SUCCEEDED"]);
});
