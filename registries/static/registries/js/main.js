/** Brings a page of the registries to life; without scripts it works all the same, as plain forms. */
import { editJson } from "./json_editor.js";
import { highlight } from "./json_colours.js";
import { refreshGraph } from "./graph.js";
import { growRows } from "./rows.js";
import { tellUnsaved } from "./unsaved.js";

document.querySelectorAll("[data-json-editor]").forEach(editJson);
document.querySelectorAll("pre[data-json]").forEach((block) => block.replaceChildren(highlight(block.textContent)));
document.querySelectorAll("[data-rows]").forEach(growRows);
document.querySelectorAll("form[data-graph-url]").forEach(refreshGraph);
document.querySelectorAll("#definition-form").forEach(tellUnsaved);
document.querySelector("[data-focus]")?.focus();
