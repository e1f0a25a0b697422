import { h, icon } from "./dom.js";

/** A few words with a symbol, set apart from the text that they stand in. @param {string} name @param {string} tone */
export function tag(name, tone) {
  const [symbol, text] = [icon(name), h("span")];
  return { element: h("span", { class: "tag", "data-tone": tone }, symbol, text), symbol, text };
}
