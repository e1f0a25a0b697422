import assert from "node:assert/strict";
import { test } from "node:test";

import { ApiError } from "../src/api.js";
import { WatchSet } from "../src/watch_set.js";
import { FakeService } from "../testkit/fake_service.js";
import { FakeTimers, settled } from "../testkit/fake_timers.js";

function setUp() {
  const [service, timers] = [new FakeService(), new FakeTimers()];
  return { service, timers, set: new WatchSet({ api: service.api, limit: 3, timers }) };
}

test("the service hears of it while the stream stands, and all of it when one comes to stand", async () => {
  const { service, set } = setUp();
  set.watch("a");
  await settled();
  assert.equal(service.calls.length, 0);
  set.resume();
  await settled();
  assert.deepEqual(service.watched, ["a"]);
  set.pause();
  set.watch("b");
  await settled();
  assert.deepEqual(service.watched, ["a"]);
});

test("another tab's tasks stay in the set, as far as there is room", async () => {
  const { service, set } = setUp();
  service.watched = ["x", "y", "z"];
  set.resume();
  set.watch("a");
  await settled();
  assert.deepEqual(service.watched, ["y", "z", "a"]);
  set.unwatch("a");
  await settled();
  assert.deepEqual(service.watched, ["y", "z"]);
});

test("another tab's task that is gone doesn't keep this one's out", async () => {
  const { service, set } = setUp();
  service.watched = ["gone"];
  const put = service.api.setWatchSet;
  service.api.setWatchSet = (ids) => (ids.includes("gone") ? Promise.reject(new ApiError(404, "TASK_NOT_FOUND")) : put(ids));
  set.resume();
  set.watch("a");
  await settled();
  assert.deepEqual(service.watched, ["a"]);
});

test("the set is renewed before the service forgets it, and only while there is something in it", async () => {
  const { service, timers, set } = setUp();
  set.resume();
  set.watch("a");
  await timers.pass(9 * 60_000);
  assert.equal(service.count("setWatchSet"), 3);
  set.unwatch("a");
  await timers.pass(60 * 60_000);
  assert.equal(service.count("setWatchSet"), 4);
});
