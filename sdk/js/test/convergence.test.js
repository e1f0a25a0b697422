import assert from "node:assert/strict";
import { test } from "node:test";

import { Store } from "../src/store.js";
import { batch, detail, detailMessage, page, removedMessage, seeded, summaryMessage, task, workflow, workflowMessage } from "../testkit/make.js";

const WORDS = ["PENDING", "RUNNING", "RUNNING", "RUNNING", "SUCCEEDED"];
const IDS = ["a", "b", "c", "d"];

/** The whole history of four tasks and their workflow: every message that was ever sent, and what is true at the end. */
function history() {
  const messages = [];
  for (const id of IDS) {
    WORDS.forEach((lifecycleStatus, index) => {
      messages.push(summaryMessage(id, index + 1, { lifecycleStatus }));
      messages.push(detailMessage(id, index + 1, { lifecycleStatus, steps: [{ stepId: "s1", lifecycleStatus }] }));
    });
  }
  for (let version = 1; version <= 6; version += 1) messages.push(workflowMessage("wfl_1", version));
  messages.push(removedMessage("d", 6));
  return messages;
}

/** What the service answers at the end. */
function snapshotInto(store, ids) {
  const asked = new Map(IDS.map((id) => [id, store.stampOf(id)]));
  const ended = { lifecycleStatus: "SUCCEEDED", steps: [{ stepId: "s1", lifecycleStatus: "SUCCEEDED" }] };
  store.acceptPage(page(["a", "b", "c"].map((id) => task(id, 5, { lifecycleStatus: "SUCCEEDED" }))));
  store.acceptBatch(batch([], ["d"]), asked);
  ids.forEach((id) => store.acceptDetail(detail(id, 5, ended)));
  store.acceptWorkflow(workflow("wfl_1", 6));
}

function view(store) {
  return {
    tasks: IDS.map((id) => store.task(id)),
    details: IDS.map((id) => store.detail(id)),
    workflow: store.workflow("wfl_1"),
  };
}

function expected() {
  const store = new Store();
  snapshotInto(store, ["a", "b", "c"]);
  return view(store);
}

/** The messages doubled, some of them lost, in any order. */
function mangled(messages, random, lost) {
  const kept = messages.filter(() => random() >= lost);
  const doubled = kept.flatMap((message) => (random() < 0.5 ? [message, structuredClone(message)] : [message]));
  return doubled.map((message) => [random(), message]).sort(([a], [b]) => a - b).map(([, message]) => message);
}

test("every message, doubled and in any order, ends in what the snapshot shows", () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const store = new Store();
    mangled(history(), seeded(seed), 0).forEach((message) => store.accept(message));
    assert.deepEqual(view(store), expected(), `seed ${seed}`);
  }
});

test("with messages lost, a snapshot that comes at any moment mends it", () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = seeded(seed);
    const store = new Store();
    const messages = mangled(history(), random, 0.3);
    const moment = Math.floor(random() * (messages.length + 1));
    messages.slice(0, moment).forEach((message) => store.accept(message));
    snapshotInto(store, ["a", "b", "c"]);
    messages.slice(moment).forEach((message) => store.accept(message));
    assert.deepEqual(view(store), expected(), `seed ${seed}`);
  }
});

test("on the way there no object ever goes back to an older state", () => {
  for (let seed = 1; seed <= 50; seed += 1) {
    const store = new Store();
    const shown = new Map();
    for (const message of mangled(history(), seeded(seed), 0.2)) {
      store.accept(message);
      for (const id of IDS) {
        const [was, is] = [shown.get(id) ?? 0, Number(store.task(id)?.version ?? 0)];
        assert.ok(is >= was || store.task(id) === null, `seed ${seed}: ${id} went from ${was} to ${is}`);
        shown.set(id, is);
      }
    }
  }
});
