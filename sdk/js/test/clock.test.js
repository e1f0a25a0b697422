import assert from "node:assert/strict";
import { test } from "node:test";

import { isProven, runningMs, ServiceClock } from "../src/clock.js";
import { task } from "../testkit/make.js";

/** A clock of this machine that the test moves. */
function machine() {
  let now = 5000;
  return { read: () => now, pass: (ms) => (now += ms) };
}

const START = { startedAt: "2026-01-01T00:00:00.000Z", elapsedMs: 37_000, asOf: "2026-01-01T00:00:37.000Z" };

test("a running task's time grows without a message", () => {
  const { read, pass } = machine();
  const clock = new ServiceClock(read);
  clock.observe(START.asOf);
  pass(12_345);
  assert.equal(runningMs(task("a", 1, START), clock), 49_345);
});

test("a message that was under way for long does not set the time back", () => {
  const { read, pass } = machine();
  const clock = new ServiceClock(read);
  clock.observe("2026-01-01T00:05:00.000Z");
  pass(1000);
  clock.observe(START.asOf);
  assert.equal(runningMs(task("a", 1, START), clock), 301_000);
});

test("before anything is known of the service's time, a state's own reading stands", () => {
  assert.equal(runningMs(task("a", 1, START), new ServiceClock(machine().read)), 37_000);
});

test("at the end the time is the service's and stands still", () => {
  const { read, pass } = machine();
  const clock = new ServiceClock(read);
  const ended = task("a", 2, { ...START, lifecycleStatus: "SUCCEEDED", durationMs: 42_000 });
  clock.observe(START.asOf);
  pass(60_000);
  assert.equal(runningMs(ended, clock), 42_000);
  assert.equal(runningMs({ ...ended, durationMs: null }, clock), 37_000);
});

test("what has not begun has no time", () => {
  const waiting = task("a", 1, { lifecycleStatus: "PENDING", startedAt: null, elapsedMs: null });
  assert.equal(runningMs(waiting, new ServiceClock(machine().read)), null);
});

test("the time since a moment is never negative, and unknown without a moment", () => {
  const clock = new ServiceClock(machine().read);
  assert.equal(clock.since(START.asOf), null);
  clock.observe(START.asOf);
  assert.equal(clock.since("2026-01-01T00:00:40.000Z"), 0);
  assert.equal(clock.since(null), null);
  clock.observe("not a moment");
  assert.equal(clock.since("2026-01-01T00:00:30.000Z"), 7000);
});

test("a clock is proven while the feed is live and the executor is heard of; an end always is", () => {
  assert.equal(isProven(task("a", 1), true), true);
  assert.equal(isProven(task("a", 1, { health: "DEGRADED" }), true), true);
  assert.equal(isProven(task("a", 1, { health: "STALE" }), true), false);
  assert.equal(isProven(task("a", 1), false), false);
  assert.equal(isProven(task("a", 1, { lifecycleStatus: "FAILED", health: "STALE" }), false), true);
});
