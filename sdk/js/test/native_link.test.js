import assert from "node:assert/strict";
import { test } from "node:test";

import { Backoff } from "../src/backoff.js";
import { NativeLink } from "../src/native_link.js";
import { FakeTimers, settled } from "../testkit/fake_timers.js";
import { summaryMessage } from "../testkit/make.js";

/** A link, the connections that it made, and what it told. */
function setUp() {
  const [timers, told, connections, wall] = [new FakeTimers(), [], [], { now: 0 }];
  const fetch = (url, { headers, signal }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      connections.push({ url, lastId: headers["Last-Event-ID"], ...answers(resolve, reject, signal) });
    });
  const on = {
    up: ({ recovered }) => told.push(recovered ? "resumed" : "up"),
    down: () => told.push("down"),
    message: (message) => told.push(message.taskVersion),
    reset: () => told.push("reset"),
    signedOut: () => told.push("signed out"),
  };
  const backoff = new Backoff({ baseMs: 1000, random: () => 1 });
  const link = new NativeLink({ on, fetch, timers, backoff, wallNow: () => wall.now });
  link.open();
  return { link, timers, told, connections, wall };
}

function answers(resolve, reject, signal) {
  return {
    refuse: (status, body = {}, headers = {}) => resolve(new Response(JSON.stringify(body), { status, headers })),
    fail: () => reject(new TypeError("refused")),
    stream() {
      let out;
      resolve(new Response(new ReadableStream({ start: (controller) => (out = controller) })));
      signal.addEventListener("abort", () => out.error(signal.reason));
      return { send: (text) => out.enqueue(new TextEncoder().encode(text)), end: () => out.close() };
    },
  };
}

const frame = (id, version) => `id: ${id}\nevent: message\ndata: ${JSON.stringify(summaryMessage("a", version))}\n\n`;

async function connected() {
  const parts = setUp();
  const stream = parts.connections[0].stream();
  await settled();
  return { ...parts, stream };
}

test("messages arrive, and after the end of a stream a new one goes on from the last whole frame", async () => {
  const { timers, told, connections, stream } = await connected();
  assert.equal(connections[0].lastId, undefined);
  stream.send(frame("1.5", 5) + frame("1.6", 6) + "id: 1.7\ndata: {");
  await settled();
  stream.end();
  await timers.pass(1000);
  connections[1].stream();
  await settled();
  assert.deepEqual([told, connections[1].lastId], [["up", "5", "6", "down", "resumed"], "1.6"]);
});

test("a heartbeat says nothing but moves the cursor", async () => {
  const { told, timers, connections, stream } = await connected();
  stream.send("id: 1.9\nevent: heartbeat\ndata: {}\n\n");
  await settled();
  stream.end();
  await timers.pass(1000);
  assert.deepEqual([told, connections[1].lastId], [["up", "down"], "1.9"]);
});

test("a reset is told, and so is a frame that nobody can read, which doesn't come again and again", async () => {
  const { told, timers, connections, stream } = await connected();
  stream.send('id: 2.1\nevent: reset\ndata: {"kind":"reset","epoch":"2"}\n\nid: 2.2\nevent: message\ndata: {oops\n\n');
  await settled();
  stream.end();
  await timers.pass(1000);
  assert.deepEqual([told, connections[1].lastId], [["up", "reset", "reset", "down"], "2.2"]);
});

test("refused connections are tried again, less and less often; one byte begins the count anew", async () => {
  const { timers, connections, told } = setUp();
  for (const wait of [1000, 2000, 4000]) {
    connections.at(-1).fail();
    const before = connections.length;
    await timers.pass(wait - 1);
    assert.equal(connections.length, before);
    await timers.pass(1);
    assert.equal(connections.length, before + 1);
  }
  const stream = connections.at(-1).stream();
  await settled();
  stream.send(":\n\n");
  await settled();
  stream.end();
  await timers.pass(1000);
  assert.deepEqual([connections.length, told], [5, ["up", "down"]]);
});

test("it waits as long as a refusal asks for", async () => {
  const { timers, connections } = setUp();
  connections[0].refuse(429, { code: "STREAM_LIMIT" }, { "Retry-After": "7" });
  await timers.pass(7999);
  assert.equal(connections.length, 1);
  await timers.pass(1);
  assert.equal(connections.length, 2);
});

test("who is signed out is told so once, and it ends until somebody looks again", async () => {
  const { link, timers, connections, told } = setUp();
  connections[0].refuse(401, { code: "TOKEN_MISSING" });
  await timers.pass(600_000);
  assert.deepEqual([told, connections.length], [["signed out"], 1]);
  link.check();
  connections[1].stream();
  await settled();
  assert.deepEqual(told, ["signed out", "up"]);
});

test("a stream without even a comment for too long is dead, and is made anew", async () => {
  const { timers, told, connections, stream } = await connected();
  await timers.pass(30_000);
  stream.send(":\n\n");
  await timers.pass(30_000);
  assert.deepEqual(told, ["up"]);
  await timers.pass(11_000);
  assert.deepEqual([told, connections.length], [["up", "down"], 2]);
});

test("a machine that slept looks at once, and goes on if the stream is alive", async () => {
  const { link, wall, timers, told } = await connected();
  link.check();
  await settled();
  assert.deepEqual(told, ["up"]);
  wall.now += 3_600_000;
  link.check();
  await timers.pass(1000);
  assert.deepEqual(told, ["up", "down"]);
});

test("a check ends a wait", async () => {
  const { link, timers, connections } = setUp();
  connections[0].refuse(503, {}, { "Retry-After": "60" });
  await timers.pass(10);
  link.check();
  await settled();
  assert.equal(connections.length, 2);
});

test("a closed link stays closed, and an opened one goes on where it was", async () => {
  const { link, timers, told, connections, stream } = await connected();
  stream.send(frame("1.5", 5));
  await settled();
  link.close();
  await timers.pass(600_000);
  assert.deepEqual([told, connections.length], [["up", "5", "down"], 1]);
  link.open();
  assert.equal(connections[1].lastId, "1.5");
});
