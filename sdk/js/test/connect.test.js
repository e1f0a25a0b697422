import assert from "node:assert/strict";
import { test } from "node:test";

import { connect } from "../src/connect.js";
import { FallbackLink } from "../src/fallback_link.js";
import { FakeCentrifuge, UnauthorizedError } from "../testkit/fake_centrifuge.js";
import { settled } from "../testkit/fake_timers.js";
import { FakeService } from "../testkit/fake_service.js";

const LIMITS = { maxDetailSubscriptions: 7, maxWatchedTasks: 5 };
const quiet = () => {};
const ON = { up: quiet, down: quiet, message: quiet, reset: quiet, signedOut: quiet, detailGap: quiet };

function setUp(session) {
  const service = new FakeService();
  if (session) service.api.session = async () => ({ endpoints: { stream: "/stream" }, limits: LIMITS, token: "t", ...session });
  const natives = [];
  const makeNative = (parts) => {
    natives.push(parts);
    return { open: quiet, close: quiet, check: quiet };
  };
  return { service, natives, parts: { api: service.api, on: ON, makeNative, loadCentrifuge: null } };
}

const centrifuge = async () => ({ Centrifuge: FakeCentrifuge, UnauthorizedError });

test("where the service has no Centrifugo, the native stream is the connection", async () => {
  const { natives, parts } = setUp({ transport: "sse" });
  const { limit } = await connect({ ...parts, loadCentrifuge: centrifuge });
  assert.deepEqual([natives.map(({ url }) => url), limit], [["/stream"], 5]);
});

test("where it has, Centrifugo is tried, and the native stream stands behind it", async () => {
  const { natives, parts } = setUp({ transport: "centrifugo", endpoints: { stream: "/stream", websocket: "ws://rt" } });
  const { link, limit } = await connect({ ...parts, loadCentrifuge: centrifuge });
  link.open();
  assert.ok(link instanceof FallbackLink);
  assert.deepEqual([FakeCentrifuge.made.at(-1).transports[0].endpoint, natives.length, limit], ["ws://rt", 1, 7]);
  link.close();
});

test("without centrifuge-js, or without an answer about the session, the native stream has to do", async () => {
  const missing = setUp({ transport: "centrifugo" });
  await connect({ ...missing.parts, loadCentrifuge: () => Promise.reject(new TypeError("404")) });
  const silent = setUp(null);
  await connect({ ...silent.parts, loadCentrifuge: centrifuge });
  assert.deepEqual([missing.natives.length, silent.natives.length, silent.natives[0].url], [1, 1, undefined]);
});

test("the watch set is kept while the native stream stands", async () => {
  const { service, natives, parts } = setUp({ transport: "sse" });
  const { watcher } = await connect(parts);
  watcher.watch("a");
  await settled();
  assert.equal(service.count("setWatchSet"), 0);
  natives[0].on.up({ recovered: false });
  await settled();
  assert.deepEqual(service.watched, ["a"]);
  natives[0].on.down();
});
