import assert from "node:assert/strict";
import { test } from "node:test";

import { ServiceClock } from "../src/clock.js";
import { Names } from "../src/names.js";
import { Snapshots } from "../src/snapshots.js";
import { Store } from "../src/store.js";
import { TaskList } from "../src/task_list.js";
import { FakeService } from "../testkit/fake_service.js";
import { summaryMessage, task } from "../testkit/make.js";

const LIVE = ["PENDING", "RUNNING"];
const ENDED = ["SUCCEEDED", "FAILED", "CANCELLED"];

function setUp(filter = { lifecycles: LIVE }) {
  const [service, store] = [new FakeService(), new Store()];
  const snapshots = new Snapshots({ api: service.api, store, clock: new ServiceClock(() => 0), names: new Names() });
  return { service, store, list: new TaskList(filter, { store, snapshots }) };
}

const second = (n) => `2026-01-01T00:${String(Math.floor(n / 60)).padStart(2, "0")}:${String(n % 60).padStart(2, "0")}.000Z`;

/** Tasks t000, t001 …, each created and updated a second after the one before. */
function many(number, members = {}) {
  return Array.from({ length: number }, (_, n) => {
    const times = { createdAt: second(n), updatedAt: second(n) };
    return task(`t${String(n).padStart(3, "0")}`, 1, { ...times, ...members });
  });
}

const ids = (list) => list.rows().map(({ id }) => id);

async function read(list) {
  const merge = await list.read();
  merge();
}

test("a task that a push tells of is on the list, if the filter lets it through", async () => {
  const { store, list } = setUp({ lifecycles: LIVE, q: "straße", workflowId: "wfl_1" });
  await read(list);
  store.accept(summaryMessage("a", 1, { title: "Hauptstraße 5" }));
  store.accept(summaryMessage("b", 1, { title: "HAUPTSTRASSE 6" }));
  store.accept(summaryMessage("c", 1, { title: "Elsewhere" }));
  store.accept(summaryMessage("d", 1, { title: "Straße", workflowId: "wfl_2" }));
  store.accept(summaryMessage("e", 1, { title: "Straße", lifecycleStatus: "FAILED" }));
  assert.deepEqual(ids(list), ["b", "a"]);
});

test("a task that ends leaves one list and heads the other", async () => {
  const { service, store, list } = setUp();
  const ended = new TaskList({ lifecycles: ENDED }, { store, snapshots: null });
  service.set(...many(2));
  await read(list);
  store.accept(summaryMessage("t000", 2, { lifecycleStatus: "SUCCEEDED", finishedAt: second(50) }));
  assert.deepEqual([ids(list), ids(ended)], [["t001"], ["t000"]]);
});

test("rows keep their places while tasks move on: by age, those that need somebody first; ended ones by their end", async () => {
  const { store, list } = setUp({ lifecycles: [...LIVE, ...ENDED] });
  await read(list);
  store.accept(summaryMessage("old", 9, { createdAt: second(1) }));
  store.accept(summaryMessage("new", 1, { createdAt: second(2) }));
  store.accept(summaryMessage("needy", 1, { createdAt: second(0), requiresAction: true }));
  store.accept(summaryMessage("first", 1, { lifecycleStatus: "FAILED", finishedAt: second(3) }));
  store.accept(summaryMessage("last", 1, { lifecycleStatus: "SUCCEEDED", finishedAt: second(4) }));
  assert.deepEqual(ids(list), ["needy", "new", "old", "last", "first"]);
});

test("more is shown page by page, without gaps, until there is none", async () => {
  const { service, list } = setUp();
  service.set(...many(120));
  await read(list);
  assert.deepEqual([ids(list).length, ids(list)[0], list.hasMore], [50, "t119", true]);
  for (const [shown, hasMore] of [[100, true], [120, false]]) {
    (await list.more())();
    assert.deepEqual([ids(list).length, list.hasMore], [shown, hasMore]);
  }
  assert.equal(service.count("tasks"), 3);
});

test("what lies beyond the pages read is not shown, though another list brought it", async () => {
  const { service, store, list } = setUp();
  service.set(...many(60));
  await read(list);
  store.accept(summaryMessage("ancient", 1, { createdAt: second(0), updatedAt: "2025-01-01T00:00:00.000Z" }));
  assert.equal(ids(list).includes("ancient"), false);
});

test("reading anew keeps as many rows as were shown", async () => {
  const { service, list } = setUp();
  service.set(...many(230));
  await read(list);
  for (let page = 0; page < 4; page += 1) (await list.more())();
  const before = ids(list);
  service.calls.length = 0;
  await read(list);
  assert.deepEqual(ids(list), before);
  assert.deepEqual(service.calls.map(([, query]) => query.limit), [200, 50]);
});

test("more asked for while the list is read anew is there when both have answered, in whatever order", async () => {
  for (const readFirst of [true, false]) {
    const { service, list } = setUp();
    service.set(...many(120));
    await read(list);
    const answers = await Promise.all([list.read(), list.more()]);
    for (const merge of readFirst ? answers : answers.reverse()) merge();
    assert.deepEqual([ids(list).length, ids(list).at(-1), list.hasMore], [100, "t020", true]);
  }
});

test("a list read anew while more is on its way keeps what both bring", async () => {
  for (const moreFirst of [true, false]) {
    const { service, list } = setUp();
    service.set(...many(60));
    await read(list);
    const answers = await Promise.all([list.more(), list.read()]);
    for (const merge of moreFirst ? answers : answers.reverse()) merge();
    assert.deepEqual([ids(list).length, list.hasMore], [60, false]);
  }
});

test("no gap is left where more than a page came unseen before more is asked for", async () => {
  const { service, list } = setUp();
  service.set(...many(120));
  await read(list);
  service.set(...many(230));
  const [again, more] = await Promise.all([list.read(), list.more()]);
  again();
  more();
  assert.deepEqual([ids(list).length, ids(list)[0], ids(list).at(-1)], [100, "t229", "t130"]);
});

test("a task whose removal was missed is asked for by name when the list lacks it, and goes", async () => {
  const { service, list } = setUp();
  service.set(...many(3));
  await read(list);
  service.tasks.delete("t001");
  await read(list);
  assert.deepEqual([ids(list), service.count("batchGet")], [["t002", "t000"], 1]);
});

test("a task that the list lacks because it has moved on since is brought up to date", async () => {
  const { service, store, list } = setUp();
  service.set(...many(2));
  await read(list);
  service.set(task("t000", 5, { lifecycleStatus: "FAILED" }));
  await read(list);
  assert.deepEqual([ids(list), store.task("t000").lifecycleStatus], [["t001"], "FAILED"]);
});

test("nothing is written before it is merged", async () => {
  const { service, list } = setUp();
  service.set(...many(2));
  const merge = await list.read();
  assert.deepEqual([ids(list), list.isRead], [[], false]);
  merge();
  assert.deepEqual([ids(list).length, list.isRead], [2, true]);
});
