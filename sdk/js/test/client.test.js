import assert from "node:assert/strict";
import { test } from "node:test";

import { Client } from "../src/client.js";
import { FakeService } from "../testkit/fake_service.js";
import { settled } from "../testkit/fake_timers.js";
import { detailMessage, notice, summaryMessage, task } from "../testkit/make.js";

/** A client whose connection the test plays. */
async function setUp(t, service = new FakeService()) {
  const line = { did: [], on: null };
  const connect = async ({ on }) => {
    line.on = on;
    const link = { open: () => line.did.push("open"), close: () => line.did.push("close"), check: () => line.did.push("check") };
    const watcher = { watch: (id) => line.did.push(`+${id}`), unwatch: (id) => line.did.push(`-${id}`) };
    return { link, watcher, limit: 20 };
  };
  const states = [];
  const client = new Client({ api: service.api, connect, onState: (state) => states.push(state) });
  const [list] = client.show([{ lifecycles: ["PENDING", "RUNNING"] }]);
  await client.start();
  t.after(() => client.stop());
  return { client, service, line, list, states };
}

const ids = (list) => list.rows().map(({ id }) => id);

test("from the first connection to a live list, and a task that is new on it", async (t) => {
  const { service, line, list, states } = await setUp(t);
  service.set(task("a", 3));
  line.on.up({ recovered: false });
  line.on.message(summaryMessage("b", 1, { createdAt: "2026-01-02T00:00:00.000Z" }));
  await settled();
  assert.deepEqual([ids(list), states], [["b", "a"], ["LIVE"]]);
  line.on.message(summaryMessage("c", 1, { createdAt: "2026-01-03T00:00:00.000Z" }));
  assert.deepEqual(ids(list), ["c", "b", "a"]);
});

test("after a gap the lists and the open details are read, and nothing else", async (t) => {
  const { client, service, line } = await setUp(t);
  service.set(task("a", 3));
  line.on.up({ recovered: false });
  await settled();
  await client.details.open("a");
  service.calls.length = 0;
  service.set(task("a", 8));
  line.on.reset();
  await settled();
  assert.deepEqual(service.calls.map(([name]) => name).sort(), ["task", "tasks"]);
  assert.deepEqual([client.store.task("a").version, client.store.detail("a").version], ["8", "8"]);
});

test("opening and closing a detail leaves the connection alone", async (t) => {
  const { client, service, line } = await setUp(t);
  service.set(task("a", 3));
  await client.details.open("a");
  client.details.close("a");
  assert.deepEqual(line.did, ["open", "+a", "-a"]);
});

test("a raised epoch has everything read anew, and lower versions are taken", async (t) => {
  const { client, service, line, list } = await setUp(t);
  service.set(task("a", 40), task("lost", 5));
  line.on.up({ recovered: false });
  await settled();
  service.epoch = "2";
  service.tasks.delete("lost");
  service.set(task("a", 7));
  line.on.message(summaryMessage("b", 1, { epoch: "2" }));
  assert.equal(client.feed.state, "RECOVERING");
  service.set(task("b", 1));
  await settled();
  assert.deepEqual([ids(list).sort(), client.store.task("a").version, client.feed.state], [["a", "b"], "7", "LIVE"]);
});

test("waking up looks at the connection and checks what is shown and has not ended", async (t) => {
  const { client, service, line } = await setUp(t);
  service.set(task("a", 3), task("b", 3));
  line.on.up({ recovered: false });
  await settled();
  line.on.message(summaryMessage("b", 4, { lifecycleStatus: "SUCCEEDED", finishedAt: "2026-01-01T00:01:00.000Z" }));
  service.calls.length = 0;
  service.set(task("a", 9));
  client.wake();
  await settled();
  const [[name, question]] = service.calls;
  assert.deepEqual([name, question.taskIds, question.knownVersions, question.epoch], ["batchGet", ["a"], { a: "3" }, "1"]);
  assert.deepEqual([client.store.task("a").version, line.did.at(-1)], ["9", "check"]);
});

test("while nothing arrives by itself, a check reads the lists, so that new tasks are found too", async (t) => {
  const { client, service, line, list } = await setUp(t);
  service.set(task("a", 3));
  line.on.up({ recovered: false });
  await settled();
  line.on.down();
  service.set(task("b", 1));
  client.wake();
  await settled();
  assert.deepEqual([ids(list).sort(), client.feed.state], [["a", "b"], "RECOVERING"]);
});

test("a push's time is learnt, so that clocks go on from it", async (t) => {
  const { client, line } = await setUp(t);
  line.on.up({ recovered: false });
  await settled();
  line.on.message(detailMessage("a", 1, { asOf: "2030-01-01T00:00:00.000Z" }));
  assert.ok(client.clock.now() >= Date.parse("2030-01-01T00:00:00.000Z"));
});

test("R02 what went wrong is told by the summaries alone, with no detail open", async (t) => {
  const { client, line } = await setUp(t);
  const told = [];
  client.store.subscribe((change) => told.push(...change.notices.map(({ notice: one }) => one.type)));
  line.on.up({ recovered: false });
  await settled();
  ["STEP_FAILED", "TASK_STALE", "ACTION_REQUIRED", "TASK_FAILED"].forEach((type, index) => {
    line.on.message(summaryMessage("a", index + 2, { notice: notice("a", index + 2, { type }) }));
  });
  assert.deepEqual([told, line.did], [["STEP_FAILED", "TASK_STALE", "ACTION_REQUIRED", "TASK_FAILED"], ["open"]]);
});
