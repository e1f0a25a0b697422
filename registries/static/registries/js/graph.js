/** Has the server draw the codes again while they are edited. */

const PAUSE_MS = 350;

/** @param {HTMLFormElement} form */
export function refreshGraph(form) {
  const place = document.getElementById("graph");
  const address = form.dataset.graphUrl;
  if (!place || !address) return;
  let timer = 0;
  let asked = 0;
  const draw = async () => {
    const mine = (asked += 1);
    try {
      const answer = await fetch(address, { method: "POST", body: new FormData(form) });
      const text = answer.ok ? await answer.text() : null;
      if (text !== null && mine === asked) replace(place, text);
    } catch {
      // The drawing stays as it was; the next change asks again.
    }
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(draw, PAUSE_MS);
  };
  form.addEventListener("input", soon);
  form.addEventListener("change", soon);
}

/** Puts the new drawing in, with its words as open as they were. @param {HTMLElement} place @param {string} text */
function replace(place, text) {
  const wasOpen = place.querySelector("details")?.open;
  const left = place.querySelector(".graph-scroll")?.scrollLeft ?? 0;
  place.replaceChildren(...new DOMParser().parseFromString(text, "text/html").body.childNodes);
  const words = place.querySelector("details");
  if (words && wasOpen) words.open = true;
  const scroll = place.querySelector(".graph-scroll");
  if (scroll) scroll.scrollLeft = left;
}
