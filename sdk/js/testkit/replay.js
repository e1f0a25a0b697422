/**
 * Real messages in the real store: reads `{before, messages, fresh}` as JSON from standard input, where `before` and
 * `fresh` are answers of the service, and fails unless every order of the messages leads from the one to the other.
 */
import assert from "node:assert/strict";
import { text } from "node:stream/consumers";

import { Store } from "../src/store.js";
import { seeded } from "./make.js";

/** Read from the clock, from live rows or for one viewer whenever a state is told: no version names them. */
const UNVERSIONED = new Set(["asOf", "elapsedMs", "lastHeartbeatAt", "permissions"]);
const LIVE_COUNTS = new Set([...UNVERSIONED, "counts", "taskCount", "health", "requiresAction"]);
const SEEDS = 100;

const { before, messages, fresh } = JSON.parse(await text(process.stdin));
const ids = fresh.details.map((detail) => detail.id);

/** Merge what the service answered. */
function load(store, { pages, details, workflows }) {
  pages.forEach((page) => store.acceptPage(page));
  details.forEach((detail) => store.acceptDetail(detail));
  workflows.forEach((workflow) => store.acceptWorkflow(workflow));
}

function without(value, names) {
  if (Array.isArray(value)) return value.map((item) => without(item, names));
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([name]) => !names.has(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, without(inner, names)]));
}

function view(store) {
  const workflows = fresh.workflows.map(({ id }) => without(store.workflow(id), LIVE_COUNTS));
  return { states: without(ids.map((id) => [store.task(id), store.detail(id)]), UNVERSIONED), workflows };
}

function loaded(answers) {
  const store = new Store();
  load(store, answers);
  return store;
}

const truth = view(loaded(fresh));
for (let seed = 1; seed <= SEEDS; seed += 1) {
  const random = seeded(seed);
  const twice = messages.flatMap((message) => (random() < 0.5 ? [message, message] : [message]));
  const shuffled = twice.map((message) => [random(), message]).sort(([a], [b]) => a - b).map(([, message]) => message);
  const store = loaded(before);
  shuffled.forEach((message) => store.accept(structuredClone(message)));
  assert.deepEqual(view(store), truth, `seed ${seed}: all of them`);

  const lossy = shuffled.filter(() => random() > 0.4);
  const moment = Math.floor(random() * (lossy.length + 1));
  const mended = loaded(before);
  lossy.slice(0, moment).forEach((message) => mended.accept(structuredClone(message)));
  load(mended, structuredClone(fresh));
  lossy.slice(moment).forEach((message) => mended.accept(structuredClone(message)));
  assert.deepEqual(view(mended), truth, `seed ${seed}: some lost, and one reading`);
}
console.log(`${messages.length} messages, ${ids.length} tasks`);
