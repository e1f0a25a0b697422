import assert from "node:assert/strict";
import { test } from "node:test";

import { ApiError } from "../src/api.js";
import { Backoff } from "../src/backoff.js";
import { Feed } from "../src/feed.js";
import { Store } from "../src/store.js";
import { FakeTimers, settled } from "../testkit/fake_timers.js";
import { page, summaryMessage, task } from "../testkit/make.js";

/** A feed whose snapshots the test answers by hand. */
function setUp() {
  const [store, timers, states, asked] = [new Store(), new FakeTimers(), [], []];
  const versions = [];
  const load = () =>
    new Promise((resolve, reject) => {
      asked.push({ answer: (...items) => resolve(() => store.acceptPage(page(items))), fail: reject });
    });
  const feed = new Feed({
    load,
    timers,
    backoff: new Backoff({ baseMs: 1000, random: () => 1 }),
    apply: (message) => store.accept(message),
    batch: (work) => store.batch(work),
    onState: (state) => states.push(state),
    onSignedOut: () => states.push("SIGNED OUT"),
  });
  store.subscribe(() => versions.push(store.task("a")?.version));
  return { feed, store, timers, states, asked, versions };
}

async function live(parts) {
  parts.feed.up({ recovered: false });
  parts.asked.pop().answer(task("a", 1));
  await settled();
  assert.equal(parts.feed.state, "LIVE");
  parts.states.length = 0;
}

test("pushes wait for the snapshot, and both are shown at once: nothing lost, nothing rolled back", async () => {
  const { feed, asked, versions } = setUp();
  feed.up({ recovered: false });
  feed.message(summaryMessage("a", 7));
  feed.message(summaryMessage("b", 1));
  assert.deepEqual(versions, []);
  asked[0].answer(task("a", 6));
  await settled();
  assert.deepEqual([versions, feed.state], [["7"], "LIVE"]);
});

test("a change between subscribing and the snapshot is kept when the snapshot is the newer one too", async () => {
  const { feed, store, asked } = setUp();
  feed.up({ recovered: false });
  feed.message(summaryMessage("a", 7));
  asked[0].answer(task("a", 9));
  await settled();
  assert.equal(store.task("a").version, "9");
});

test("it is live only when the snapshot is in, not when the connection stands", async () => {
  const { feed, asked } = setUp();
  feed.up({ recovered: false });
  assert.equal(feed.state, "RECOVERING");
  asked[0].answer();
  await settled();
  assert.equal(feed.state, "LIVE");
});

test("a connection that recovered its history needs no snapshot", async () => {
  const parts = setUp();
  await live(parts);
  parts.feed.down();
  parts.feed.up({ recovered: true });
  parts.feed.message(summaryMessage("a", 2));
  assert.deepEqual([parts.states, parts.asked.length], [["RECOVERING", "LIVE"], 0]);
  assert.equal(parts.store.task("a").version, "2");
});

test("a connection that did not, needs one, and so does a reset", async () => {
  const parts = setUp();
  await live(parts);
  const resumedInVain = () => {
    parts.feed.up({ recovered: true });
    parts.feed.reset();
  };
  for (const lose of [() => parts.feed.up({ recovered: false }), resumedInVain]) {
    parts.feed.down();
    lose();
    assert.deepEqual([parts.feed.state, parts.asked.length], ["RECOVERING", 1]);
    parts.asked.pop().answer();
    await settled();
    assert.equal(parts.feed.state, "LIVE");
  }
});

test("history can't make whole what a snapshot never came for", async () => {
  const { feed, asked } = setUp();
  feed.up({ recovered: false });
  feed.down();
  feed.up({ recovered: true });
  assert.deepEqual([feed.state, asked.length], ["RECOVERING", 2]);
});

test("a disconnect takes nothing off the screen", async () => {
  const parts = setUp();
  await live(parts);
  parts.feed.down();
  await parts.timers.pass(60_000);
  assert.equal(parts.feed.state, "STALE");
  assert.equal(parts.store.task("a").version, "1");
});

test("recovering too long is called stale, once, and what was pushed is shown then", async () => {
  const { feed, store, timers, states } = setUp();
  feed.up({ recovered: false });
  feed.message(summaryMessage("a", 7));
  await timers.pass(14_999);
  assert.deepEqual([states, store.task("a")], [[], null]);
  await timers.pass(60_000);
  assert.deepEqual([states, store.task("a").version], [["STALE"], "7"]);
  feed.message(summaryMessage("a", 8));
  assert.equal(store.task("a").version, "8");
});

test("a failed snapshot is asked for again, less and less often", async () => {
  const { feed, timers, asked } = setUp();
  feed.up({ recovered: false });
  for (const wait of [1000, 2000, 4000]) {
    asked.pop().fail(new ApiError(503, "DATABASE_BUSY"));
    await timers.pass(wait - 1);
    assert.equal(asked.length, 0);
    await timers.pass(1);
    assert.equal(asked.length, 1);
  }
  asked.pop().answer(task("a", 1));
  await settled();
  assert.equal(feed.state, "LIVE");
});

test("of two snapshots only the later decides, and the earlier is still merged by its versions", async () => {
  const { feed, store, asked } = setUp();
  feed.up({ recovered: false });
  feed.reset();
  asked[0].answer(task("a", 3));
  await settled();
  assert.deepEqual([feed.state, store.task("a").version], ["RECOVERING", "3"]);
  asked[1].answer(task("a", 2), task("b", 1));
  await settled();
  assert.deepEqual([feed.state, store.task("a").version, store.task("b").version], ["LIVE", "3", "1"]);
});

test("a snapshot that comes when the connection is gone again is no proof that it is live", async () => {
  const { feed, asked } = setUp();
  feed.up({ recovered: false });
  feed.down();
  asked[0].answer(task("a", 3));
  await settled();
  assert.equal(feed.state, "RECOVERING");
});

test("who was signed out is told so, and no server is asked again and again", async () => {
  const { feed, timers, states, asked } = setUp();
  feed.up({ recovered: false });
  asked.pop().fail(new ApiError(401, "TOKEN_MISSING"));
  await timers.pass(60_000);
  assert.deepEqual([states, asked.length], [["SIGNED OUT", "STALE"], 0]);
});

test("a flood while the snapshot is under way doesn't pile up without end", async () => {
  const { feed, store } = setUp();
  feed.up({ recovered: false });
  for (let version = 1; version <= 5001; version += 1) feed.message(summaryMessage("a", version));
  assert.equal(store.task("a").version, "5001");
});

test("a stopped feed asks no more", async () => {
  const { feed, timers, asked, states } = setUp();
  feed.up({ recovered: false });
  feed.stop();
  asked.pop().fail(new ApiError(0, "UNREACHABLE"));
  await timers.pass(60_000);
  assert.deepEqual([asked.length, states], [0, []]);
});
