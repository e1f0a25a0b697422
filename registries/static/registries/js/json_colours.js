/** JSON text in colours, as DOM nodes: nothing of it is ever read as markup. */

const TOKEN = /("(?:[^"\\\n]|\\.)*"?)(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b|([{}[\],:])/g;

/**
 * @param {string} text
 * @returns {DocumentFragment}
 */
export function highlight(text) {
  const parts = document.createDocumentFragment();
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    parts.append(text.slice(end, match.index), coloured(match));
    end = match.index + match[0].length;
  }
  parts.append(text.slice(end));
  return parts;
}

/** @param {RegExpMatchArray} match */
function coloured([whole, text, colon, number, word]) {
  if (text === undefined) return span(whole, number ? "j-number" : word ? "j-word" : "j-mark");
  const found = document.createDocumentFragment();
  found.append(span(text, colon ? "j-key" : "j-text"));
  if (colon) found.append(span(colon, "j-mark"));
  return found;
}

/**
 * @param {string} text
 * @param {string} name
 */
function span(text, name) {
  const part = document.createElement("span");
  part.className = name;
  part.textContent = text;
  return part;
}
