import assert from "node:assert/strict";
import { test } from "node:test";

import { EventStreamReader } from "../src/event_stream.js";

const STREAM = ': hello\n\nid: 7\nevent: message\ndata: {"a":1}\n\nid: 8\r\ndata: one\r\ndata: two\r\n\r\n: ping\r\revent: reset\rid: 9\rdata:{}\r\rdata: cut off';
const FRAMES = [
  { id: "7", event: "message", data: '{"a":1}' },
  { id: "8", event: "message", data: "one\ntwo" },
  { id: "9", event: "reset", data: "{}" },
];

test("frames are read whatever ends their lines; comments are none, and neither is an unfinished one", () => {
  assert.deepEqual(new EventStreamReader().read(STREAM), FRAMES);
});

test("it makes no difference where the stream is cut into pieces", () => {
  for (let cut = 1; cut < STREAM.length; cut += 1) {
    const reader = new EventStreamReader();
    const frames = [...reader.read(STREAM.slice(0, cut)), ...reader.read(STREAM.slice(cut))];
    assert.deepEqual(frames, FRAMES, `cut at ${cut}`);
  }
});

test("every character alone gives the same frames", () => {
  const reader = new EventStreamReader();
  assert.deepEqual([...STREAM].flatMap((character) => reader.read(character)), FRAMES);
});

test("the last id is known for going on from it, also where a frame has no id or no data", () => {
  const reader = new EventStreamReader();
  assert.equal(reader.lastId, null);
  reader.read("id: 7\ndata: x\n\ndata: y\n\n");
  assert.equal(reader.lastId, "7");
  reader.read("id: 8\n\n");
  assert.equal(reader.lastId, "8");
  reader.read("id: 9\ndata: cut o");
  assert.equal(reader.lastId, "8", "a frame that was cut off has to come again");
});

test("a byte order mark, values with colons, missing spaces and fields without a value are what the format says", () => {
  const frames = new EventStreamReader().read("\uFEFFdata:a:b\nfoo: bar\ndata\n\n");
  assert.deepEqual(frames, [{ id: null, event: "message", data: "a:b\n" }]);
});
