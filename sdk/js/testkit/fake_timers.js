/** Timers that run when the test says so. */
export class FakeTimers {
  #now = 0;
  #next = 1;
  #waiting = new Map();

  set = (work, ms) => {
    this.#waiting.set(this.#next, { work, at: this.#now + ms });
    return this.#next++;
  };

  clear = (timer) => {
    this.#waiting.delete(timer);
  };

  now = () => this.#now;

  /** Let this much time pass, and everything happen that it brings. */
  async pass(ms) {
    const end = this.#now + ms;
    await settled();
    for (;;) {
      const due = [...this.#waiting].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
      if (!due) break;
      this.#waiting.delete(due[0]);
      this.#now = Math.max(this.#now, due[1].at);
      due[1].work();
      await settled();
    }
    this.#now = end;
  }
}

/** Let promises that wait for nothing else be settled. */
export async function settled() {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
}
