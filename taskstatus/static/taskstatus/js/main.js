import { Api, Client, NoticeGate } from "../sdk/index.js";
import { Board } from "./board/board.js";
import { inShell } from "./dom.js";
import { Clocks } from "./elapsed.js";
import { FeedBadge } from "./feed_badge.js";
import { Router } from "./router.js";
import { TaskPage } from "./task/page.js";
import { Toasts } from "./toasts.js";
import { Unconfirmed } from "./unconfirmed.js";
import { Wording } from "./wording.js";

/**
 * What the shell tells; see `page_settings`.
 * @typedef {{language: string, reader: string, csrfToken: string, loginUrl: string, centrifuge: string | null}} Settings
 *
 * @typedef {(text: string, isUrgent?: boolean) => void} Announce
 *
 * What every view works with.
 * @typedef {object} Context
 * @property {Api} api
 * @property {Client} client
 * @property {Clocks} clocks
 * @property {Announce} announce
 * @property {Settings} settings
 * @property {Unconfirmed} unconfirmed
 */

const FIRST_PATIENCE_MS = 1500;
const ANNOUNCED_MS = 8000;
const TOLD_KEY = "task-status.told";

/** @type {Settings} */
const settings = JSON.parse(inShell("#page-settings").textContent);
const { centrifuge } = settings;
const [content, announcer, alarm] = [inShell("#content"), inShell("#announcer"), inShell("#alarm")];
const notices = new NoticeGate(JSON.parse(sessionStorage.getItem(TOLD_KEY) ?? "[]"));
/** @type {FeedBadge | null} */
let badge = null;
const api = new Api({ csrfToken: settings.csrfToken, onIdentity: (isSignedIn) => identify(isSignedIn) });
const client = new Client({
  api,
  notices,
  loadCentrifuge: centrifuge ? () => import(centrifuge) : null,
  isVisible: () => document.visibilityState === "visible",
  onState: () => {
    badge?.changed();
    clocks.refresh();
  },
  onSignedOut: () => badge?.identify(false),
});
const clocks = new Clocks(client);
badge = new FeedBadge(client.feed, announce);
const unconfirmed = new Unconfirmed(client.store);
const toasts = new Toasts(announce, { names: client.names, unconfirmed });
/** @type {Context} */
const context = { api, client, clocks, announce, settings, unconfirmed };
const board = new Board(context);
/** @type {TaskPage | null} */
let task = null;

/** Say something to those who listen to the page: in the next pause, or at once where it is urgent. @type {Announce} */
function announce(text, isUrgent = false) {
  const line = document.createElement("p");
  line.textContent = text;
  (isUrgent ? alarm : announcer).append(line);
  setTimeout(() => line.remove(), ANNOUNCED_MS);
}

/** The login has ended, or there is one again, as from another tab. @param {boolean} isSignedIn */
function identify(isSignedIn) {
  badge?.identify(isSignedIn);
  if (isSignedIn) client.wake();
}

function view() {
  return task ?? board;
}

/**
 * Put a view on the page; who moves by keyboard begins at its heading, or on the way back where they left.
 * @param {Board | TaskPage} next
 * @param {import("./router.js").Arrival} how
 * @param {string | null} cameFrom
 */
function put(next, { isFirst, isBack }, cameFrom) {
  content.replaceChildren(next.element);
  content.setAttribute("aria-busy", "false");
  draw();
  if (isFirst) return;
  const row = isBack && cameFrom ? next.element.querySelector(`[data-task="${CSS.escape(cameFrom)}"]`) : null;
  (row?.querySelector("a") ?? next.heading).focus({ preventScroll: true });
}

const router = new Router({
  board(how) {
    const cameFrom = task?.id ?? null;
    task?.close();
    task = null;
    board.followAddress();
    put(board, how, cameFrom);
  },
  task(id, how) {
    task?.close();
    task = new TaskPage(id, context);
    put(task, how, null);
  },
});

let isDrawing = false;
/** Draw once for all that happens within a frame; a page that nobody sees draws nothing. */
function drawSoon() {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    draw();
  });
}

function draw() {
  view().update();
  document.title = view().title;
}

client.store.subscribe((change) => {
  task?.hear(change);
  change.notices.forEach(({ taskId, notice }) => toasts.notice(notice, client.store.task(taskId)));
  // The answer with a failure's words may be here before the notice.
  const followed = new Set([...change.tasks, ...change.notices.map(({ taskId }) => taskId)]);
  [...followed].map(client.store.task).forEach((one) => one && toasts.follow(one, settings.language !== "en" && client.store.isAnswer(one.id)));
  change.broadcasts.forEach((message) => toasts.broadcast(message));
  if (change.notices.length > 0) sessionStorage.setItem(TOLD_KEY, JSON.stringify(notices.told.slice(-200)));
  drawSoon();
});

new Wording(client, settings.language);
// Without a fragment in the address, which the way back would lead to.
inShell(".skip-link").addEventListener("click", (event) => {
  event.preventDefault();
  content.focus();
});
// The shell names the address that was loaded; the reader may have gone on since.
const wayBack = inShell(".languages [name=next]");
inShell(".languages").addEventListener("submit", () => wayBack.setAttribute("value", location.pathname + location.search));
["online", "pageshow"].forEach((name) => addEventListener(name, () => client.wake()));
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && client.wake());

router.start();
void client.start();
// The snapshot follows the connection. Where that takes its time, nobody should have to look at an empty page.
setTimeout(() => client.lists.some((list) => !list.isRead) && void board.read(), FIRST_PATIENCE_MS);
