import assert from "node:assert/strict";
import { test } from "node:test";

import { Api, ApiError } from "../src/api.js";

function setUp(answer) {
  const calls = [];
  const fetch = async (url, options) => {
    calls.push({ url, method: options.method, body: options.body, token: options.headers["X-CSRFToken"] });
    return answer();
  };
  return { calls, api: new Api({ csrfToken: "csrf", fetch }) };
}

const json = (body, status = 200, headers = {}) => () => new Response(JSON.stringify(body), { status, headers });

test("filters repeat for any of their values, and what is not asked for is left out", async () => {
  const { calls, api } = setUp(json({ items: [] }));
  await api.tasks({ lifecycleStatus: ["PENDING", "RUNNING"], q: "a b&c", workflowId: null, cursor: "", limit: 50 });
  assert.equal(calls[0].url, "/api/v1/me/tasks?lifecycleStatus=PENDING&lifecycleStatus=RUNNING&q=a+b%26c&limit=50");
});

test("ids are part of a path and nothing more", async () => {
  const { calls, api } = setUp(json({}));
  await api.task("../../me?x=1");
  assert.equal(calls[0].url, "/api/v1/tasks/..%2F..%2Fme%3Fx%3D1");
});

test("what changes something proves that it comes from the page", async () => {
  const { calls, api } = setUp(json({ items: [], removed: [] }));
  await api.batchGet({ taskIds: ["a"] });
  assert.deepEqual(calls[0], { url: "/api/v1/tasks/status:batchGet", method: "POST", body: '{"taskIds":["a"]}', token: "csrf" });
});

test("a wish to cancel goes with its reason, or without any", async () => {
  const { calls, api } = setUp(json({ taskVersion: "5", epoch: "1", cancelRequestedAt: "2026-01-01T00:00:00.000Z" }));
  assert.equal((await api.requestCancel("a/b", " Wrong file.\n\u000bSorry\ud83d! ")).taskVersion, "5");
  await api.requestCancel("a", " \n ");
  await api.requestCancel("a");
  const path = "/api/v1/tasks/a:requestCancel";
  const posted = { method: "POST", token: "csrf" };
  assert.deepEqual(calls, [
    { url: "/api/v1/tasks/a%2Fb:requestCancel", body: '{"reason":"Wrong file.\\nSorry!"}', ...posted },
    { url: path, body: "{}", ...posted },
    { url: path, body: "{}", ...posted },
  ]);
});

test("a refusal carries its code, and what it says besides", async () => {
  const problem = { code: "TIMELINE_PURGED", detail: "Gone.", current: { oldestTaskVersion: "41" } };
  const { api } = setUp(json(problem, 410, { "Retry-After": "3" }));
  const error = await api.events("a", { afterTaskVersion: "0", limit: 1 }).catch((one) => one);
  assert.ok(error instanceof ApiError);
  assert.deepEqual([error.status, error.code, error.retryAfterMs, error.current.oldestTaskVersion], [410, "TIMELINE_PURGED", 3000, "41"]);
});

test("an answer from something in between, no answer at all, and one that is cut short are errors of the same kind", async () => {
  const broken = () => new Response("<html>Bad gateway</html>", { status: 502 });
  const refused = () => Promise.reject(new TypeError("refused"));
  const short = () => new Response('{"items": [');
  for (const [answer, code] of [[broken, "HTTP_502"], [refused, "UNREACHABLE"], [short, "UNREACHABLE"]]) {
    const error = await setUp(answer).api.counts().catch((one) => one);
    assert.deepEqual([error instanceof ApiError, error.code], [true, code]);
  }
});

test("it knows who has to log in again, and what is not there any more", () => {
  const said = (status, code) => [new ApiError(status, code).isSignedOut, new ApiError(status, code).isAbsent];
  assert.deepEqual(said(401, "TOKEN_EXPIRED"), [true, false]);
  assert.deepEqual(said(403, "PERMISSION_REQUIRED"), [true, false]);
  assert.deepEqual(said(404, "TASK_NOT_FOUND"), [false, true]);
  assert.deepEqual(said(410, "TASK_ARCHIVED"), [false, true]);
  assert.deepEqual(said(503, "DATABASE_BUSY"), [false, false]);
});

test("it tells when the login has ended, and when there is one again, once each", async () => {
  const [statuses, heard] = [[200, 401, 401, 503, 401, 200, 200], []];
  const fetch = async () => new Response("{}", { status: statuses.shift() });
  const api = new Api({ fetch, onIdentity: (isSignedIn) => heard.push([isSignedIn, statuses.length]) });
  while (statuses.length > 0) await api.counts().catch(() => {});
  assert.deepEqual(heard, [[false, 5], [true, 3], [false, 2], [true, 1]]);
});
