/**
 * How a reader came to a view: with the page itself, or by the way back.
 * @typedef {{isFirst?: boolean, isBack?: boolean}} Arrival
 *
 * @typedef {object} Views
 * @property {(how: Arrival) => void} board
 * @property {(id: string, how: Arrival) => void} task
 */

/**
 * Goes from list to task and back within one page, so that the connection, and with it the list, lives on (R11). Every
 * address can be opened by itself, in another tab too.
 */
export class Router {
  #views;

  /** `views.board()` and `views.task(id)` show what an address names. @param {Views} views */
  constructor(views) {
    this.#views = views;
    addEventListener("popstate", () => this.#show({ isBack: true }));
    document.addEventListener("click", (event) => this.#follow(event));
  }

  /** Show what the address names. */
  start() {
    this.#show({ isFirst: true });
  }

  /** @param {MouseEvent} event */
  #follow(event) {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!(link instanceof HTMLAnchorElement) || link.target || link.origin !== location.origin) return;
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || !isOurs(link.pathname)) return;
    event.preventDefault();
    history.replaceState({ scroll: scrollY }, "");
    history.pushState(null, "", link.href);
    this.#show({});
  }

  /** @param {Arrival} how */
  #show(how) {
    const id = taskIdOf(location.pathname);
    if (id === null) this.#views.board(how);
    else this.#views.task(id, how);
    if (!how.isFirst) scrollTo(0, how.isBack ? (history.state?.scroll ?? 0) : 0);
  }
}

/** @param {string} path */
function isOurs(path) {
  return path === "/" || taskIdOf(path) !== null;
}

/** @param {string} path */
function taskIdOf(path) {
  const [, id] = /^\/tasks\/([^\/]+)$/.exec(path) ?? [];
  return id === undefined ? null : decoded(id);
}

/** An address that can't be read names a task that there is not. @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
