import assert from "node:assert/strict";
import { test } from "node:test";

import { Names } from "../src/names.js";
import { task } from "../testkit/make.js";

const shown = (name) => ({ statusDisplay: { name, severity: "INFO", colorToken: null, iconKey: null } });
const step = (displayName) => ({ currentStep: { stepId: "s1", operationCode: "OPS.RUN", displayName, serviceName: null } });

test("what an answer called a status or a step, a later push of it is called too", () => {
  const names = new Names();
  names.learn(task("a", 1, { ...shown("运行中"), ...step("解析文档") }));
  const pushed = task("a", 2, { ...shown("Running"), ...step("Parse the document") });
  assert.deepEqual([names.status(pushed), names.step("a", pushed.currentStep)], ["运行中", "解析文档"]);
  assert.equal(names.knows(pushed), true);
});

test("a status means what its task type says", () => {
  const names = new Names();
  names.learn(task("a", 1, { ...shown("解析中"), taskType: "PAPER" }));
  assert.equal(names.status(task("b", 1, { ...shown("Parsing film"), taskType: "FILM" })), "Parsing film");
});

test("a word that was never met is shown as it came, and is known to be missing", () => {
  const names = new Names();
  const pushed = task("a", 1, { ...shown("Parsing"), ...step("Parse") });
  assert.deepEqual([names.status(pushed), names.knows(pushed)], ["Parsing", false]);
  names.learn(task("a", 1, shown("解析中")));
  assert.equal(names.knows(pushed), false);
  names.learn(task("a", 1, { ...shown("解析中"), ...step("解析") }));
  assert.equal(names.knows(pushed), true);
});

test("a failure's words are the service's, and have to be read", () => {
  const names = new Names();
  names.learn(task("a", 1));
  assert.equal(names.knows(task("a", 2, { failure: { code: "BROKEN", message: "It broke.", failedStepId: null } })), false);
});

test("a step without a name is called by its operation", () => {
  assert.equal(new Names().step("a", { stepId: "s1", operationCode: "OPS.RUN", displayName: null }), "OPS.RUN");
});
