// What was entered and is not on the sheet yet: kept on this device in its order, until the server has it.

import { dequeue, enqueue, queued, rewrite } from "./store.js";
import { newKey } from "./words.js";

/**
 * @typedef {import("./store.js").Row} Row
 * @typedef {{ ref: string, name: string }} Writer as whom a page enters
 * @typedef {Pick<Row, "kind" | "body" | "words" | "unchecked">} Entered
 */

/**
 * Rows that this device could not keep are only in memory.
 * @param {Row[]} rows
 */
const onDevice = (rows) => rows.filter((row) => row.order !== undefined);

export class Queue {
  /** @type {Row[]} */
  rows = [];
  /** @type {Row[]} what other people entered on this device: it waits for them, and is never sent in this one's name */
  others = [];
  isKeeping = false; // entries are being written down on this device

  /** @param {{ match: string, writer: Writer | null }} parts */
  constructor({ match, writer }) {
    this.match = match;
    this.writer = writer;
  }

  /**
   * Begin with what this device kept.
   * @param {Row[]} rows
   */
  begin(rows) {
    this.rows = rows.filter((row) => this.isOwn(row));
    this.others = rows.filter((row) => !this.isOwn(row));
  }

  /** @param {Row} row */
  isOwn(row) {
    return this.writer !== null && row.writer?.ref === this.writer.ref;
  }

  /**
   * The entries of other people by whom they are of: [{writer, rows}]; writer is undefined where nobody knows.
   * @returns {{ writer: Writer | null | undefined, rows: Row[] }[]}
   */
  ofOthers() {
    /** @type {Map<string, { writer: Writer | null | undefined, rows: Row[] }>} */
    const found = new Map();
    for (const row of this.others) {
      const ref = row.writer?.ref ?? "";
      const group = found.get(ref) ?? { writer: row.writer, rows: [] };
      group.rows.push(row);
      found.set(ref, group);
    }
    return [...found.values()];
  }

  /**
   * Take entries of others for one's own, in their place in the order.
   * @param {Row[]} rows
   */
  async adopt(rows) {
    for (const row of rows) row.writer = this.writer;
    await rewrite(rows);
    this.others = this.others.filter((row) => !rows.includes(row));
    this.rows = [...this.rows, ...rows].sort(
      (one, other) => (one.order ?? Infinity) - (other.order ?? Infinity),
    );
  }

  /**
   * Write entries down on this device, at the end, once `loaded` has what it kept before.
   * @param {Entered[]} entries
   * @param {Promise<void>} loaded
   */
  async keep(entries, loaded) {
    this.isKeeping = true;
    await loaded;
    const rows = entries.map((entry) => ({
      key: newKey(),
      writer: this.writer,
      page: location.pathname,
      ...entry,
    }));
    try {
      this.rows.push(...(await enqueue(this.match, rows)));
    } catch (error) {
      console.warn("entries cannot be kept on this device; they are sent at once", error);
      this.rows.push(...rows);
    } finally {
      this.isKeeping = false;
    }
  }

  /**
   * What goes next in one request; what does not belong to a batch yet follows the event `after`.
   * @param {number} after
   * @returns {Row[]}
   */
  nextBatch(after) {
    const [first] = this.rows;
    if (first.batch) return this.rows.filter((row) => row.batch === first.batch);
    const batch = this.rows.filter((row) => !row.batch);
    this.follow(batch, after);
    return batch;
  }

  /**
   * Let rows go together, after an event of the sheet: also after a reload, whatever else was written by then.
   * @param {Row[]} rows
   * @param {number | undefined} after
   */
  follow(rows, after) {
    for (const row of rows) Object.assign(row, { batch: rows[0].key, after });
  }

  /** @param {Row[]} rows */
  async unbatch(rows) {
    for (const row of rows) {
      delete row.batch;
      delete row.after;
    }
    await this.rewrite(rows);
  }

  /** @param {Row[]} rows */
  async rewrite(rows) {
    await rewrite(onDevice(rows));
  }

  /** @param {Row[]} rows */
  async drop(rows) {
    const gone = new Set(rows);
    this.rows = this.rows.filter((row) => !gone.has(row));
    await dequeue(onDevice(rows));
  }

  /** Let go of what another window of this device has sent or let go of meanwhile; whether there was any. */
  async leaveSettled() {
    const kept = new Set((await queued(this.match).catch(() => this.rows)).map((row) => row.order));
    const left = this.rows.filter((row) => row.order === undefined || kept.has(row.order));
    const isLess = left.length < this.rows.length;
    if (isLess) this.rows = left;
    return isLess;
  }
}
