/** @typedef {{id: string | null, event: string, data: string}} Frame */

/**
 * Reads the text/event-stream format from pieces of any size.
 *
 * The browser's own EventSource hides the comments that prove a quiet stream alive, the status of a refusal, and the
 * time of a reconnect, and can't be given the id to go on from; so the stream is read as a response body instead.
 */
export class EventStreamReader {
  #rest = "";
  /** @type {string[]} */ #data = [];
  #event = "";
  /** @type {string | null} */ #id = null;
  /** @type {string | null} */ #lastId = null;
  #atStart = true;

  /** The id of the last frame that came whole, for `Last-Event-ID`. */
  get lastId() {
    return this.#lastId;
  }

  /** The frames that this piece of text completes. @param {string} text @returns {Frame[]} */
  read(text) {
    if (this.#atStart && text !== "") {
      this.#atStart = false;
      text = text.replace(/^\uFEFF/, "");
    }
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.#line(line));
  }

  /** @param {string} line @returns {Frame[]} */
  #line(line) {
    if (line === "") return this.#dispatch();
    const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === "data") this.#data.push(value ?? "");
    if (name === "event") this.#event = value ?? "";
    if (name === "id" && !value?.includes("\0")) this.#id = value ?? "";
    return [];
  }

  #dispatch() {
    const frame = { id: this.#id, event: this.#event || "message", data: this.#data.join("\n") };
    this.#lastId = this.#id;
    const isEmpty = this.#data.length === 0;
    this.#data = [];
    this.#event = "";
    return isEmpty ? [] : [frame];
  }
}
