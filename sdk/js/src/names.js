/**
 * Words in the reader's language, learnt from answers.
 *
 * A push goes to every reader of a channel and carries English names; an answer is made for one reader. What an answer
 * called a status or a step is what it is called here from then on.
 *
 * @typedef {import("./wire.js").TaskSummary} TaskSummary
 * @typedef {import("./wire.js").StepView} StepView
 */
export class Names {
  /** @type {Map<string, string>} */
  #words = new Map();

  /** @param {TaskSummary & {steps?: readonly StepView[]}} task a state that an answer brought */
  learn(task) {
    this.#words.set(statusKey(task), task.statusDisplay.name);
    for (const step of task.currentStep ? [task.currentStep, ...(task.steps ?? [])] : (task.steps ?? [])) {
      if (step.displayName !== null) this.#words.set(stepKey(task.id, step), step.displayName);
    }
  }

  /** What the task's status is called. @param {Readonly<TaskSummary>} task */
  status(task) {
    return this.#words.get(statusKey(task)) ?? task.statusDisplay.name;
  }

  /** What the step is called; its operation's code, where it has no name. @param {string} taskId @param {{stepId: string, operationCode: string, displayName: string | null}} step */
  step(taskId, step) {
    return this.#words.get(stepKey(taskId, step)) ?? step.displayName ?? step.operationCode;
  }

  /** Whether everything in a state that a push brought can be said in the reader's language. @param {Readonly<TaskSummary>} task */
  knows(task) {
    const step = task.currentStep;
    const isStepKnown = !step || step.displayName === null || this.#words.has(stepKey(task.id, step));
    return task.failure === null && isStepKnown && this.#words.has(statusKey(task));
  }
}

/** @param {Readonly<TaskSummary>} task */
function statusKey(task) {
  return `status ${task.taskType} ${task.businessStatus ?? task.lifecycleStatus}`;
}

/** @param {string} taskId @param {{stepId: string, operationCode: string}} step */
function stepKey(taskId, step) {
  return `step ${taskId} ${step.stepId} ${step.operationCode}`;
}
