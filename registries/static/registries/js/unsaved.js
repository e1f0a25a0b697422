/** Says that there is something to be saved, and asks before it is left behind. */
import { find } from "./find.js";

/** @param {HTMLFormElement} form */
export function tellUnsaved(form) {
  const place = find(form, "[data-unsaved]", HTMLElement);
  let changed = false;
  form.addEventListener("input", () => {
    changed = true;
    if (place) place.textContent = place.dataset.words ?? "";
  });
  form.addEventListener("submit", () => (changed = false));
  window.addEventListener("beforeunload", (event) => {
    if (changed) event.preventDefault();
  });
}
