import assert from "node:assert/strict";
import { test } from "node:test";

import { ApiError } from "../src/api.js";
import { CentrifugoLink } from "../src/centrifugo_link.js";
import { FakeCentrifuge, UnauthorizedError } from "../testkit/fake_centrifuge.js";
import { FakeTimers, settled } from "../testkit/fake_timers.js";

const ENDPOINTS = {
  stream: "/api/v1/me/task-stream",
  websocket: "ws://rt/connection/websocket",
  httpStream: "http://rt/connection/http_stream",
  sse: "http://rt/connection/sse",
  emulation: "http://rt/emulation",
};

function setUp() {
  const [told, released, timers] = [[], [], new FakeTimers()];
  const api = {
    session: async () => ({ token: "second" }),
    subscriptionToken: async (id) => ({ channel: `task_detail:acme/${id}`, token: `sub-${id}`, lease: `lease-${id}` }),
    release: async (lease) => released.push(lease),
  };
  const on = {
    up: ({ recovered }) => told.push(recovered ? "resumed" : "up"),
    down: () => told.push("down"),
    message: (message) => told.push(message),
    reset: () => told.push("reset"),
    signedOut: () => told.push("signed out"),
    detailGap: (id) => told.push(`gap ${id}`),
  };
  const session = { epoch: "1", transport: "centrifugo", endpoints: ENDPOINTS, token: "first", limits: {} };
  const link = new CentrifugoLink({ module: { Centrifuge: FakeCentrifuge, UnauthorizedError }, session, api, on, timers });
  link.open();
  const client = FakeCentrifuge.made.at(-1);
  told.length = 0;
  return { link, client, told, released, api, timers };
}

test("it tries a WebSocket, then a streamed response, then events, with the address for sending beside them", () => {
  const { client } = setUp();
  assert.deepEqual(
    client.transports.map(({ transport, endpoint }) => [transport, endpoint]),
    [
      ["websocket", ENDPOINTS.websocket],
      ["http_stream", ENDPOINTS.httpStream],
      ["sse", ENDPOINTS.sse],
    ],
  );
  assert.deepEqual([client.options.emulationEndpoint, client.options.token], [ENDPOINTS.emulation, "first"]);
});

test("the first connection is no recovery; a later one is, if every channel recovered", async () => {
  const { client, told } = setUp();
  for (const recovered of [[false, false], [true, true], [true, false]]) {
    client.accept(...recovered);
    await settled();
    client.connect();
  }
  assert.deepEqual(told, ["up", "down", "resumed", "down", "up", "down"]);
});

test("publications of the connection's channels are messages", async () => {
  const { client, told } = setUp();
  client.emit("publication", { data: { kind: "task.summary" } });
  assert.deepEqual(told, [{ kind: "task.summary" }]);
});

test("a new token is asked of the service; a login that ended is final, an outage is not", async () => {
  const { client, api } = setUp();
  assert.equal(await client.options.getToken(), "second");
  api.session = async () => Promise.reject(new ApiError(401, "TOKEN_MISSING"));
  await assert.rejects(client.options.getToken(), UnauthorizedError);
  api.session = async () => Promise.reject(new ApiError(503, "DATABASE_BUSY"));
  await assert.rejects(client.options.getToken(), ApiError);
});

test("a detail is subscribed to with a token of its own, and its messages arrive", async () => {
  const { link, client, told } = setUp();
  await link.watch("t1");
  const [subscription] = client.subscriptions;
  assert.deepEqual([subscription.channel, subscription.options.token, subscription.did], ["task_detail:acme/t1", "sub-t1", ["subscribe"]]);
  subscription.emit("publication", { data: "detail" });
  assert.deepEqual(told, ["detail"]);
});

test("a detail's subscription that could not recover has the detail read, and so has one that the server ended", async () => {
  const { link, client, told } = setUp();
  await link.watch("t1");
  const [subscription] = client.subscriptions;
  subscription.emit("subscribed", { wasRecovering: true, recovered: true });
  assert.deepEqual(told, []);
  subscription.emit("subscribed", { wasRecovering: true, recovered: false });
  subscription.emit("unsubscribed", { code: 2000 });
  assert.deepEqual(told, ["gap t1", "gap t1"]);
});

test("closing a detail ends its subscription and gives its place back, and touches nothing else", async () => {
  const { link, client, told, released } = setUp();
  await link.watch("t1");
  await link.watch("t2");
  const [first] = client.subscriptions;
  link.unwatch("t1");
  assert.deepEqual([first.did, client.subscriptions.length, released, told], [["subscribe", "unsubscribe"], 1, ["lease-t1"], []]);
});

test("a detail closed before its token came is not subscribed to", async () => {
  const { link, client } = setUp();
  const watching = link.watch("t1");
  link.unwatch("t1");
  await watching;
  assert.equal(client.subscriptions.length, 0);
});

test("over the limit there is no subscription, and nothing breaks", async () => {
  const { link, client, api, told } = setUp();
  api.subscriptionToken = async () => Promise.reject(new ApiError(429, "DETAIL_SUBSCRIPTION_LIMIT"));
  await link.watch("t1");
  assert.deepEqual([client.subscriptions.length, told], [0, []]);
});

test("an end for good is tried again after a while, with a new token", async () => {
  const { client, told, timers } = setUp();
  client.end(3500);
  assert.deepEqual([told, client.state], [["down"], "disconnected"]);
  await timers.pass(30_000);
  assert.deepEqual([client.state, client.tokens], ["connecting", ["first", ""]]);
});

test("without a login there is nothing to try", async () => {
  const { client, told, timers } = setUp();
  client.end(1);
  await timers.pass(600_000);
  assert.deepEqual([told, client.state], [["down", "signed out"], "disconnected"]);
});
