/** Says that there is something to be saved, and asks before it is left behind. */

/** @param {HTMLFormElement} form */
export function tellUnsaved(form) {
  const place = form.querySelector("[data-unsaved]");
  let changed = false;
  form.addEventListener("input", () => {
    changed = true;
    if (place) place.textContent = place.dataset.words;
  });
  form.addEventListener("submit", () => (changed = false));
  window.addEventListener("beforeunload", (event) => {
    if (changed) event.preventDefault();
  });
}
