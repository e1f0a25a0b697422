const SOON_MS = 400;
const PAUSE_MS = 2000;

/**
 * Has what pushes brought in English read anew in the reader's language. Names that were met before are known already;
 * this is for new ones, and for what went wrong.
 */
export class Wording {
  #client;
  /** @type {Set<string>} */ #waiting = new Set();
  /** @type {number | null} */ #timer = null;

  /** @param {import("../sdk/index.js").Client} client @param {string} language */
  constructor(client, language) {
    this.#client = client;
    if (language === "en") return;
    client.store.subscribe(({ tasks, details }) => {
      for (const id of tasks) if (this.#isForeign(id)) this.#waiting.add(id);
      for (const id of details) if (!client.store.isDetailAnswer(id)) void client.details.read(id).catch(() => {});
      if (this.#waiting.size > 0) this.#timer ??= setTimeout(() => void this.#read(), SOON_MS);
    });
  }

  /** @param {string} id */
  #isForeign(id) {
    const task = this.#client.store.task(id);
    return task !== null && !this.#client.store.isAnswer(id) && !this.#client.names.knows(task);
  }

  async #read() {
    const ids = [...this.#waiting].slice(0, 200);
    this.#waiting.clear();
    await this.#client.reword(ids).catch(() => {});
    this.#timer = setTimeout(() => this.#again(), PAUSE_MS);
  }

  #again() {
    this.#timer = null;
    if (this.#waiting.size > 0) void this.#read();
  }
}
