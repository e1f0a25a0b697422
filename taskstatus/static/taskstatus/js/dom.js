/** Make an element: `h("p", {class: "lead"}, "text", child)`. Texts are texts, never markup. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Set attributes; null takes one away, a function listens to the event that it is named for. */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** Say something, unless it is said already: what doesn't change is neither drawn nor read out again. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Show an element or not. */
export function show(element, isShown) {
  element.hidden = !isShown;
}

/** One of the page's own icons; it says nothing to those who listen. */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  svg.append(use);
  setIcon(svg, name);
  return svg;
}

/** Show another icon. */
export function setIcon(svg, name) {
  const use = svg.firstElementChild;
  if (use.getAttribute("href") !== `#i-${name}`) use.setAttribute("href", `#i-${name}`);
}

/**
 * Keeps a list's elements in step with its items: each item has one element as long as it is there, so focus, selection
 * and running transitions survive. `make(item)` gives `{element, update(item)}`.
 */
export class KeyedList {
  #container;
  #keyOf;
  #make;
  #parts = new Map();

  constructor(container, keyOf, make) {
    this.#container = container;
    this.#keyOf = keyOf;
    this.#make = make;
  }

  /** Show these items in this order; returns the keys of those that are new. */
  show(items) {
    const focused = document.activeElement;
    const fresh = [];
    const wanted = new Map(items.map((item) => [this.#keyOf(item), item]));
    for (const [key, part] of this.#parts) {
      if (!wanted.has(key)) {
        part.element.remove();
        this.#parts.delete(key);
      }
    }
    let place = this.#container.firstElementChild;
    for (const [key, item] of wanted) {
      if (!this.#parts.has(key)) {
        this.#parts.set(key, this.#make(item));
        fresh.push(key);
      }
      const part = this.#parts.get(key);
      part.update(item);
      if (part.element === place) place = place.nextElementSibling;
      else this.#container.insertBefore(part.element, place);
    }
    // Moving an element takes its focus away.
    if (focused !== document.activeElement && focused?.isConnected && this.#container.contains(focused)) focused.focus();
    return fresh;
  }
}
