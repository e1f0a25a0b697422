import assert from "node:assert/strict";
import { test } from "node:test";

import { ApiError } from "../src/api.js";
import { Timeline } from "../src/timeline.js";

const event = (version, name = "STEP_PROGRESS") => ({ eventId: `e${version}`, eventType: name, taskVersion: String(version) });
const stamp = (version, epoch = 1n) => ({ epoch, version: BigInt(version) });

/** A timeline over a log of this many events, of which the oldest were purged. */
function setUp(length, { oldest = 1, epoch = "1" } = {}) {
  const service = { length, oldest, epoch, asked: [], refusal: null };
  const events = async (_id, { afterTaskVersion, limit }) => {
    const after = Number(afterTaskVersion);
    service.asked.push(after);
    if (service.refusal) throw service.refusal;
    if (after + 1 < service.oldest) throw new ApiError(410, "TIMELINE_PURGED", { current: { oldestTaskVersion: String(service.oldest) } });
    const last = Math.min(service.length, after + limit);
    const items = Array.from({ length: Math.max(0, last - after) }, (_, n) => event(after + n + 1));
    return { items, nextAfterTaskVersion: null, oldestTaskVersion: String(service.oldest), epoch: service.epoch };
  };
  return { service, timeline: new Timeline({ id: "a", api: { events } }) };
}

const versions = (timeline) => timeline.events.map(({ taskVersion }) => Number(taskVersion));

test("the newest hundred are read first, and older ones on request", async () => {
  const { timeline } = setUp(250);
  await timeline.fill(stamp(250));
  assert.deepEqual([versions(timeline).length, versions(timeline)[0], timeline.hasEarlier], [100, 250, true]);
  await timeline.earlier();
  await timeline.earlier();
  assert.deepEqual([versions(timeline).length, versions(timeline).at(-1), timeline.hasEarlier], [250, 1, false]);
});

test("older ones that could not be read are there to be asked for again", async () => {
  const { service, timeline } = setUp(120);
  await timeline.fill(stamp(120));
  service.refusal = new ApiError(503, "DATABASE_BUSY");
  await assert.rejects(timeline.earlier(), ApiError);
  assert.equal(timeline.hasEarlier, true);
  service.refusal = null;
  await timeline.earlier();
  assert.deepEqual([versions(timeline).length, timeline.hasEarlier], [120, false]);
});

test("pushed events continue it, and only a gap is asked for", async () => {
  const { service, timeline } = setUp(9);
  await timeline.fill(stamp(9));
  timeline.add(event(10), "1");
  await timeline.fill(stamp(10));
  assert.deepEqual(service.asked, [0]);
  timeline.add(event(13), "1");
  service.length = 13;
  await timeline.fill(stamp(13));
  assert.deepEqual([service.asked, versions(timeline)], [[0, 10], [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]]);
});

test("an event that comes twice is there once", async () => {
  const { timeline } = setUp(2);
  await timeline.fill(stamp(2));
  timeline.add(event(2), "1");
  assert.deepEqual(versions(timeline), [2, 1]);
});

test("what was purged is said, and the rest is shown", async () => {
  const { timeline } = setUp(60, { oldest: 41 });
  await timeline.fill(stamp(60));
  assert.deepEqual([versions(timeline).length, timeline.isPurged, timeline.hasEarlier], [20, true, false]);
});

test("where nothing is kept any more, that is said", async () => {
  const { service, timeline } = setUp(5, { oldest: 6 });
  await timeline.fill(stamp(5));
  assert.deepEqual([versions(timeline), timeline.isPurged, timeline.hasEarlier], [[], true, false]);
  timeline.add(event(6), "1");
  service.length = 6;
  await timeline.fill(stamp(6));
  assert.deepEqual([versions(timeline), service.asked], [[6], [0]]);
});

test("a newer epoch begins the timeline anew, and events of the old one are no part of it", async () => {
  const { service, timeline } = setUp(9);
  await timeline.fill(stamp(9));
  Object.assign(service, { length: 4, epoch: "2" });
  await timeline.fill(stamp(4, 2n));
  timeline.add(event(10), "1");
  assert.deepEqual(versions(timeline), [4, 3, 2, 1]);
});

test("a service that lags behind is not asked without end", async () => {
  const { service, timeline } = setUp(3);
  await timeline.fill(stamp(9));
  assert.ok(service.asked.length <= 2, String(service.asked));
  assert.deepEqual(versions(timeline), [3, 2, 1]);
});
