/** Brings a page of the registries to life; without scripts it works all the same, as plain forms. */
import { find, findAll } from "./find.js";
import { editJson } from "./json_editor.js";
import { highlight } from "./json_colours.js";
import { refreshGraph } from "./graph.js";
import { growRows } from "./rows.js";
import { tellUnsaved } from "./unsaved.js";

findAll(document, "[data-json-editor]", HTMLElement).forEach(editJson);
document.querySelectorAll("pre[data-json]").forEach((block) => block.replaceChildren(highlight(block.textContent)));
findAll(document, "[data-rows]", HTMLElement).forEach(growRows);
findAll(document, "form[data-graph-url]", HTMLFormElement).forEach(refreshGraph);
findAll(document, "#definition-form", HTMLFormElement).forEach(tellUnsaved);
find(document, "[data-focus]", HTMLElement)?.focus();
