import { fill, gettext } from "./words.js";

/** The page's language, as the browser's owner writes it: `en-GB` rather than `en`, if that is what they chose. */
const LANGUAGE = navigator.languages.find((tag) => tag.startsWith(document.documentElement.lang)) ?? document.documentElement.lang;

/** A span of time, as short as it stays clear: 0.4 s, 12 s, 3 min 05 s, 2 h 07 min, 3 d 4 h. @param {number} ms */
export function duration(ms) {
  if (ms < 1000) return fill(gettext("%(n)s s"), { n: ms === 0 ? 0 : Math.max(0.1, Math.floor(ms / 100) / 10) });
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return fill(gettext("%(n)s s"), { n: seconds });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return fill(gettext("%(m)s min %(s)s s"), { m: minutes, s: padded(seconds % 60) });
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return fill(gettext("%(h)s h %(m)s min"), { h: hours, m: padded(minutes % 60) });
  return fill(gettext("%(d)s d %(h)s h"), { d: Math.floor(hours / 24), h: hours % 24 });
}

/** How long ago something was, in whole units: it is read now and then, not watched. @param {number} ms */
export function ago(ms) {
  const relative = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: "auto", style: "short" });
  const seconds = Math.round(ms / 1000);
  if (seconds < 5) return gettext("just now");
  if (seconds < 60) return relative.format(-seconds, "second");
  if (seconds < 3600) return relative.format(-Math.floor(seconds / 60), "minute");
  if (seconds < 86_400) return relative.format(-Math.floor(seconds / 3600), "hour");
  return relative.format(-Math.floor(seconds / 86_400), "day");
}

/** A moment (a text or a number, as `Date` takes them), with its day where it is not today's. @param {string | number} value */
export function moment(value) {
  const when = new Date(value);
  return new Intl.DateTimeFormat(LANGUAGE, { ...dayOf(when), hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(when);
}

/** A moment to the minute, with its day where it is not today's. @param {string | number} value */
export function minute(value) {
  return new Intl.DateTimeFormat(LANGUAGE, { ...dayOf(new Date(value)), hour: "2-digit", minute: "2-digit" }).format(new Date(value));
}

/** A moment in full, for those who ask. @param {string} iso */
export function fullMoment(iso) {
  return new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "full", timeStyle: "long" }).format(new Date(iso));
}

/** A number as the reader's language writes it. @param {number} value */
export function number(value) {
  return new Intl.NumberFormat(LANGUAGE).format(value);
}

/** @param {number} value */
function padded(value) {
  return String(value).padStart(2, "0");
}

/** @param {Date} when @returns {Intl.DateTimeFormatOptions} */
function dayOf(when) {
  return when.toDateString() === new Date().toDateString() ? {} : { day: "numeric", month: "short" };
}
