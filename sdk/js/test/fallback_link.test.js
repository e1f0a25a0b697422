import assert from "node:assert/strict";
import { test } from "node:test";

import { FallbackLink } from "../src/fallback_link.js";
import { FakeTimers } from "../testkit/fake_timers.js";

function setUp() {
  const [timers, told, parts] = [new FakeTimers(), [], {}];
  const make = (name) => (on) => {
    const did = [];
    parts[name] = { on, did };
    return { open: () => did.push("open"), close: () => did.push("close"), check: () => did.push("check") };
  };
  const on = {
    up: ({ recovered }) => told.push(recovered ? "resumed" : "up"),
    down: () => told.push("down"),
    message: (message) => told.push(message),
    reset: () => told.push("reset"),
    signedOut: () => told.push("signed out"),
  };
  const link = new FallbackLink({ first: make("first"), second: make("second"), on, timers });
  link.open();
  return { link, timers, told, ...parts };
}

test("the second connection is left alone while the first does its work", async () => {
  const { timers, told, first, second } = setUp();
  first.on.up({ recovered: false });
  await timers.pass(600_000);
  assert.deepEqual([told, second.did.includes("open")], [["up"], false]);
});

test("a first connection that can't be had is made up for by the second", async () => {
  const { timers, told, second } = setUp();
  await timers.pass(7999);
  assert.deepEqual(second.did, []);
  await timers.pass(1);
  assert.deepEqual(second.did, ["open"]);
  second.on.up({ recovered: false });
  second.on.message("news");
  assert.deepEqual(told, ["up", "news"]);
});

test("when the first is back, both run for a while, and nobody notices the change", async () => {
  const { timers, told, first, second } = setUp();
  await timers.pass(8000);
  second.on.up({ recovered: false });
  first.on.up({ recovered: false });
  second.on.message("seen by both");
  first.on.message("seen by both");
  second.on.reset();
  await timers.pass(4999);
  assert.equal(second.did.includes("close"), false);
  await timers.pass(1);
  second.on.down();
  assert.deepEqual([told, second.did], [["up", "seen by both", "seen by both"], ["open", "close"]]);
});

test("a short break of the first is its own affair: it recovers, and the second is not asked", async () => {
  const { timers, told, first, second } = setUp();
  first.on.up({ recovered: false });
  await timers.pass(60_000);
  first.on.down();
  await timers.pass(3000);
  first.on.up({ recovered: true });
  await timers.pass(60_000);
  assert.deepEqual([told, second.did.includes("open")], [["up", "down", "resumed"], false]);
});

test("it is down when both are", async () => {
  const { timers, told, first, second } = setUp();
  first.on.up({ recovered: false });
  first.on.down();
  await timers.pass(8000);
  second.on.up({ recovered: true });
  first.on.down();
  second.on.down();
  assert.deepEqual(told, ["up", "down", "resumed", "down"]);
});

test("closing closes both, and checks reach whichever is open", () => {
  const { link, first, second } = setUp();
  link.check();
  link.close();
  assert.deepEqual([first.did, second.did], [["open", "check", "close"], ["close"]]);
});
