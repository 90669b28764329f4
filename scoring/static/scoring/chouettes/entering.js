// Turning taps into entries, in order, each worded by the table before it.

import { inWords } from "./log.js";
import { projected } from "./projection.js";

/**
 * @typedef {import("./projection.js").Entry} Entry
 */

export class Entering {
  /** @param {import("../sheets/sync.js").Sync} sync */
  constructor(sync) {
    this.sync = sync;
    /** @type {Set<string>} */
    this.unseen = new Set(); // what was tapped and the page does not show yet
    /** @type {Promise<void>} */
    this.last = Promise.resolve(); // until the last tap is kept on this device
  }

  /**
   * Record entries {kind, body, label?} after the earlier taps, even while those are being sent.
   * @param {Entry[]} entries
   */
  async record(entries) {
    const tapped = JSON.stringify(entries);
    // A repeated tap before the page has redrawn is ignored.
    if (this.unseen.has(tapped)) return;
    this.unseen.add(tapped);
    this.last = this.keep(entries, this.last).finally(() => this.unseen.delete(tapped));
    await this.last;
    await this.sync.submit();
  }

  /**
   * @param {Entry[]} entries
   * @param {Promise<void>} before
   */
  async keep(entries, before) {
    await Promise.allSettled([before, this.sync.loaded]);
    await this.sync.keep(this.worded(entries));
  }

  /** @param {Entry[]} entries */
  worded(entries) {
    const { view, queue, online } = this.sync;
    const alone = queue.length > 0 || !online;
    let table = projected(view, queue);
    return entries.map((entry) => {
      const row = { ...entry, words: inWords(entry, table), unchecked: alone };
      table = projected(table, [row]);
      return row;
    });
  }
}
