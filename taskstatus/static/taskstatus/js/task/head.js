import { isEnded } from "../../sdk/index.js";
import { h, icon, setAttributes, setIcon, setText, show } from "../dom.js";
import { progressBar } from "../progress.js";
import { tag } from "../tag.js";
import { iconOf, toneOf } from "../tones.js";
import { fill, gettext, healthIcon, statusName, stepName } from "../words.js";

/** @typedef {import("../../sdk/wire.js").TaskSummary} TaskSummary */

/** The title of a task, its status, how far it is and how long it has taken. @param {import("../main.js").Context} context */
export function taskHead({ client, clocks, unconfirmed }) {
  const heading = h("h1", { tabindex: -1 });
  const symbol = icon("clock");
  const status = h("span", { class: "status" });
  const attempt = h("span", { class: "task-attempt" });
  const step = h("span", { class: "task-step" });
  const health = tag("question", "warning");
  const running = clocks.running();
  const progress = progressBar();
  const state = h("p", { class: "task-state" }, status, health.element, attempt, step, running.element);
  const words = h("div", {}, heading, state);
  const element = h("header", { class: "task-head" }, h("span", { class: "badge-icon badge-large" }, symbol), words, progress.element);

  /** @param {TaskSummary} task */
  function update(task) {
    const ended = isEnded(task);
    setAttributes(element, { "data-tone": toneOf(task), "data-version": task.version, "data-lifecycle": task.lifecycleStatus });
    setIcon(symbol, iconOf(task));
    setText(heading, task.title);
    setText(status, statusName(task, client.names));
    show(health.element, task.health !== "HEALTHY" && !ended);
    setIcon(health.symbol, healthIcon(task.healthReason, task.health));
    setText(health.text, unconfirmed.name(task));
    setText(attempt, fill(gettext("attempt %(n)s"), { n: task.attempt }));
    show(attempt, task.attempt > 1);
    const place = [task.currentStep ? stepName(task.currentStep, task.id, client.names) : "", task.phaseLabel ?? ""];
    setText(step, ended ? "" : place.filter(Boolean).join(": "));
    show(step, step.textContent !== "");
    running.update(task);
    progress.update(ended ? null : task.progress, false);
  }
  return { element, heading, update };
}
