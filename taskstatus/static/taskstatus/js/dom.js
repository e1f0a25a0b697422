/**
 * What an attribute is set to; a function listens to the event that the attribute is named for.
 * @typedef {string | number | boolean | null | undefined | ((event: Event) => void)} Attribute
 * @typedef {Record<string, Attribute>} Attributes
 * @typedef {Node | string | false | null | undefined} Child
 */

/**
 * A piece of the page that shows one thing, and goes on showing it as it changes.
 * @template T
 * @typedef {{element: HTMLElement, update: (item: T) => void}} Part
 */

/**
 * Make an element: `h("p", {class: "lead"}, "text", child)`. Texts are texts, never markup.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} attributes
 * @param {...(Child | Child[])} children
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * Set attributes; null takes one away, a function listens to the event that it is named for.
 * @param {Element} element
 * @param {Attributes} attributes
 */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * Say something, unless it is said already: what doesn't change is neither drawn nor read out again.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Show an element or not. @param {HTMLElement} element @param {boolean} isShown */
export function show(element, isShown) {
  element.hidden = !isShown;
}

/** Say something, or show nothing where there is nothing to say. @param {HTMLElement} element @param {string} text */
export function said(element, text) {
  setText(element, text);
  show(element, text !== "");
}

/** A part of the page's shell, which every page has. @param {string} selector */
export function inShell(selector) {
  const element = document.querySelector(selector);
  if (!(element instanceof HTMLElement)) throw new Error(`The page has no ${selector}`);
  return element;
}

/** One of the page's own icons; it says nothing to those who listen. @param {string} name */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  svg.append(use);
  setIcon(svg, name);
  return svg;
}

/** Show another icon. @param {SVGElement} svg @param {string} name */
export function setIcon(svg, name) {
  const use = svg.firstElementChild;
  if (use) setAttributes(use, { href: `#i-${name}` });
}

/**
 * Keeps a list's elements in step with its items: each item has one element as long as it is there, so focus, selection
 * and running transitions survive.
 * @template T
 */
export class KeyedList {
  #container;
  #keyOf;
  #make;
  /** @type {Map<string, Part<T>>} */ #parts = new Map();

  /** @param {Element} container @param {(item: T) => string} keyOf @param {(item: T) => Part<T>} make */
  constructor(container, keyOf, make) {
    this.#container = container;
    this.#keyOf = keyOf;
    this.#make = make;
  }

  /** Show these items in this order; returns the keys of those that are new. @param {readonly T[]} items */
  show(items) {
    const focused = document.activeElement;
    const fresh = /** @type {string[]} */ ([]);
    const wanted = new Map(items.map((item) => [this.#keyOf(item), item]));
    for (const [key, part] of this.#parts) {
      if (!wanted.has(key)) {
        part.element.remove();
        this.#parts.delete(key);
      }
    }
    let place = this.#container.firstElementChild;
    for (const [key, item] of wanted) {
      const known = this.#parts.get(key);
      const part = known ?? this.#make(item);
      if (!known) {
        this.#parts.set(key, part);
        fresh.push(key);
      }
      part.update(item);
      if (part.element === place) place = place.nextElementSibling;
      else this.#container.insertBefore(part.element, place);
    }
    // Moving an element takes its focus away.
    const isLost = focused !== document.activeElement && focused instanceof HTMLElement;
    if (isLost && focused.isConnected && this.#container.contains(focused)) focused.focus();
    return fresh;
  }
}
