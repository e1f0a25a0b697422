/**
 * An editor for JSON: the form's own text area, with colours beneath, line numbers beside, and the fault at its line.
 * It stays a text area to keyboards, screen readers, undo, and forms.
 *
 * @typedef {import("./json_fault.js").Fault} Fault
 */
import { find } from "./find.js";
import { highlight } from "./json_colours.js";
import { faultOf } from "./json_fault.js";

const INDENT = "  ";

/** @param {HTMLElement} root */
export function editJson(root) {
  const area = root.querySelector("textarea");
  const lines = find(root, ".editor-lines", HTMLElement);
  const colours = find(root, ".editor-colours", HTMLElement);
  const status = root.querySelector(".editor-status");
  if (!area || !lines || !colours || !status) return;
  const numbers = lines.appendChild(document.createElement("div"));
  lines.hidden = colours.hidden = false;
  root.classList.add("is-live");
  area.setAttribute("aria-describedby", [area.getAttribute("aria-describedby"), status.id].filter(Boolean).join(" "));

  /** @type {Fault[]} */
  const marks = JSON.parse(area.dataset.marks ?? "[]");
  let edited = false;

  const show = () => {
    const text = area.value;
    const fault = text.trim() ? faultOf(text) : null;
    const bad = fault ? [fault] : edited ? [] : marks;
    const badLines = new Set(bad.map((one) => one.line));
    const rows = text.split("\n");
    numbers.replaceChildren(...rows.map((_, index) => number(index + 1, badLines.has(index + 1))));
    colours.replaceChildren(...rows.flatMap((row, index) => [line(row, badLines.has(index + 1)), "\n"]));
    status.classList.toggle("is-bad", bad.length > 0);
    const words = bad.map((one) => `${root.dataset.wordsLine} ${one.line}: ${one.message}`);
    status.textContent = words.length ? words.join(" · ") : root.dataset.wordsKeys ?? "";
    area.setAttribute("aria-invalid", String(bad.length > 0));
    follow();
  };
  const follow = () => {
    colours.scrollTop = area.scrollTop;
    colours.scrollLeft = area.scrollLeft;
    lines.scrollTop = area.scrollTop;
  };
  area.addEventListener("input", () => {
    edited = true;
    show();
  });
  area.addEventListener("scroll", follow);
  useKeys(area);
  show();
}

/**
 * Tab indents, unless Escape came before it: then it leaves, as everywhere. Enter keeps the indentation.
 * @param {HTMLTextAreaElement} area
 */
function useKeys(area) {
  let leaving = false;
  area.addEventListener("keydown", (event) => {
    if (event.key === "Escape") leaving = true;
    else if (event.key === "Tab" && !event.shiftKey && !leaving && !event.altKey && !event.ctrlKey) {
      event.preventDefault();
      write(INDENT);
    } else if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      write(`\n${indentation(area)}`);
    } else if (event.key !== "Shift" && event.key !== "Tab") leaving = false;
  });
  area.addEventListener("blur", () => (leaving = false));
}

/** Writes at the caret so that undo knows of it. @param {string} text */
function write(text) {
  document.execCommand("insertText", false, text);
}

/** @param {HTMLTextAreaElement} area */
function indentation(area) {
  const before = area.value.slice(0, area.selectionStart);
  const row = before.slice(before.lastIndexOf("\n") + 1);
  const own = /^\s*/.exec(row)?.[0] ?? "";
  return /[{[]\s*$/.test(row) ? own + INDENT : own;
}

/**
 * @param {number} value
 * @param {boolean} isBad
 */
function number(value, isBad) {
  const row = part("span", isBad ? "bad-number" : "");
  row.textContent = String(value);
  return row;
}

/**
 * @param {string} text
 * @param {boolean} isBad
 */
function line(text, isBad) {
  const row = part("span", isBad ? "bad-line" : "");
  row.append(highlight(text));
  return row;
}

/**
 * @param {string} tag
 * @param {string} name
 */
function part(tag, name) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  return element;
}
