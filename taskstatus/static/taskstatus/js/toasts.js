import { h, icon } from "./dom.js";
import { gettext, noticeTitle } from "./words.js";

const AT_MOST = 4;
const BRIEF_MS = 8000;
const LOOKS = { INFO: ["info", "info"], WARNING: ["warning", "warning"], ERROR: ["danger", "cross"] };

/** News that pop up once. Those that want something of the reader stay until they are put away. */
export class Toasts {
  #holder = document.getElementById("toasts");
  #announce;

  constructor(announce) {
    this.#announce = announce;
  }

  /** A notice about a task. */
  notice(notice, task) {
    const title = noticeTitle(notice);
    const address = task ? `/tasks/${encodeURIComponent(task.id)}` : null;
    const text = document.documentElement.lang === "en" ? notice.message : (task?.title ?? notice.message);
    this.#add({ level: notice.level, title, text, address, stays: notice.level === "ERROR" || notice.requiresAction });
  }

  /** A message to many readers. */
  broadcast({ level, title, message }) {
    this.#add({ level, title, text: message, address: null, stays: true });
  }

  #add({ level, title, text, address, stays }) {
    const [tone, symbol] = LOOKS[level] ?? LOOKS.INFO;
    const heading = address ? h("a", { href: address }, title) : h("strong", {}, title);
    const close = h("button", { type: "button", class: "quiet", "aria-label": gettext("Put away") }, icon("cross"));
    const toast = h("div", { class: "toast", "data-tone": tone }, icon(symbol), h("div", {}, heading, h("p", {}, text)), close);
    close.addEventListener("click", () => toast.remove());
    this.#holder.append(toast);
    this.#announce(`${title}. ${text}`);
    if (!stays) forgetLater(toast);
    while (this.#holder.childElementCount > AT_MOST) this.#holder.firstElementChild.remove();
  }
}

/** Take it away after a while, unless somebody is reading it. */
function forgetLater(toast) {
  setTimeout(() => {
    if (toast.matches(":hover, :focus-within")) forgetLater(toast);
    else toast.remove();
  }, BRIEF_MS);
}
