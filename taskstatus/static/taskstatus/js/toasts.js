import { h, icon, inShell, setText } from "./dom.js";
import { about, noticeLook, noticeText, noticeTitle } from "./notice_words.js";
import { gettext } from "./words.js";

/**
 * @typedef {import("../sdk/wire.js").Notice} Notice
 * @typedef {import("../sdk/wire.js").TaskSummary} TaskSummary
 *
 * @typedef {object} News
 * @property {Notice["level"]} level
 * @property {string} [type]
 * @property {string} title
 * @property {string} text
 * @property {string | null} address
 * @property {import("./dom.js").Attributes} data
 * @property {boolean} stays
 */

const AT_MOST = 4;
const BRIEF_MS = 8000;
const OF_FAILURE = new Set(["STEP_FAILED", "STEP_RETRYING", "ACTION_REQUIRED", "TASK_FAILED"]);

/** News that pop up once. Those that want something of the reader stay until they are put away. */
export class Toasts {
  #holder = inShell("#toasts");
  #announce;
  #words;

  /**
   * `announce(text, isUrgent)` says it to those who listen to the page.
   * @param {import("./main.js").Announce} announce
   * @param {import("./notice_words.js").Sources} words
   */
  constructor(announce, words) {
    this.#announce = announce;
    this.#words = words;
  }

  /** A notice about a task. @param {Notice} notice @param {TaskSummary | null} task */
  notice(notice, task) {
    const address = task ? `/tasks/${encodeURIComponent(task.id)}` : null;
    const data = { "data-task": task?.id, "data-type": notice.type, "data-version": task?.version };
    const stays = notice.level === "ERROR" || notice.requiresAction;
    this.#add({ ...notice, title: noticeTitle(notice), text: noticeText(notice, task, this.#words), address, data, stays });
  }

  /** A message to many readers. @param {import("../sdk/wire.js").Broadcast} message */
  broadcast({ level, title, message }) {
    this.#add({ level, title, text: message, address: null, data: {}, stays: true });
  }

  /**
   * A task changed: silence that is over is no news any more, and `isReworded` tells that it has the reader's words.
   * @param {TaskSummary} task
   * @param {boolean} isReworded
   */
  follow(task, isReworded) {
    const words = task.failure?.message;
    for (const toast of this.#holder.querySelectorAll(`[data-task="${CSS.escape(task.id)}"]`)) {
      const type = toast.getAttribute("data-type") ?? "";
      const line = toast.querySelector("p");
      if (type === "TASK_STALE" && task.health !== "STALE") toast.remove();
      const isOfFailure = OF_FAILURE.has(type) && toast.getAttribute("data-version") === task.version;
      if (isReworded && isOfFailure && words && line) setText(line, about(task, words));
    }
  }

  /** @param {News} news */
  #add({ level, type, title, text, address, data, stays }) {
    const [tone, symbol] = noticeLook({ level, type });
    const heading = address ? h("a", { href: address }, title) : h("strong", {}, title);
    const close = h("button", { type: "button", class: "quiet", "aria-label": gettext("Put away") }, icon("cross"));
    const toast = h("div", { class: "toast", "data-tone": tone, ...data }, icon(symbol), h("div", {}, heading, h("p", {}, text)), close);
    close.addEventListener("click", () => toast.remove());
    this.#holder.append(toast);
    this.#announce(`${title}. ${text}`, level === "ERROR");
    if (!stays) forgetLater(toast);
    while (this.#holder.childElementCount > AT_MOST) this.#holder.firstElementChild?.remove();
  }
}

/** Take it away after a while, unless somebody is reading it. @param {HTMLElement} toast */
function forgetLater(toast) {
  setTimeout(() => {
    if (toast.matches(":hover, :focus-within")) forgetLater(toast);
    else toast.remove();
  }, BRIEF_MS);
}
