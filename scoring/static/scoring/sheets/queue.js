// What was entered and is not on the sheet yet: kept on this device in its order, until the server has it.

import { dequeue, enqueue, queued, rewrite } from "./store.js";
import { newKey } from "./words.js";

/**
 * @typedef {import("./store.js").Row} Row
 * @typedef {{ ref: string, name: string }} Writer as whom a page enters
 * @typedef {Pick<Row, "kind" | "body" | "words" | "unchecked">} Entered
 */

const MOST_AT_ONCE = 200; // the server takes no more in one request

/**
 * Rows that this device could not keep are only in memory.
 * @param {Row[]} rows
 */
const onDevice = (rows) => rows.filter((row) => row.order !== undefined);

/**
 * A device that is full, or that has shut its storage, must not keep entries from being sent: each has a key, and is
 * recorded once also when it is sent again.
 * @type {(change: Promise<void>) => Promise<void>}
 */
const asFarAsPossible = async (change) => {
  try {
    await change;
  } catch (error) {
    console.warn("what waits cannot be changed on this device; it is sent all the same", error);
  }
};

export class Queue {
  /** @type {Row[]} */
  rows = [];
  /** @type {Row[]} what other people entered on this device: it waits for them, and is never sent in this one's name */
  others = [];
  /** @type {Set<Row>} entries that are still being written down on this device: none of them goes before that */
  unwritten = new Set();
  /** @type {Row | undefined} what was entered last, also once the server has it */
  newest;
  /** @type {Promise<unknown>} until all entries of now are written down */
  writing = Promise.resolve();

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
    // What was entered before it is read comes after it.
    const own = rows.filter((row) => this.isOwn(row));
    for (const row of own) row.late = true;
    this.rows = [...own, ...this.rows];
    this.others = rows.filter((row) => !this.isOwn(row));
  }

  /** @param {Row} row */
  isOwn(row) {
    return this.writer !== null && row.writer?.ref === this.writer.ref;
  }

  /** The entries that this device could not keep: they are lost with the page. */
  get unkept() {
    return this.rows.filter((row) => row.order === undefined && !this.unwritten.has(row));
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
    await this.rewrite(rows);
    this.others = this.others.filter((row) => !rows.includes(row));
    this.rows = [...this.rows, ...rows].sort(
      (one, other) => (one.order ?? Infinity) - (other.order ?? Infinity),
    );
  }

  /**
   * Put entries at the end, at once, and write them down on this device, once `loaded` has what it kept before.
   * @param {Entered[]} entries
   * @param {Promise<void>} loaded
   */
  async keep(entries, loaded) {
    const rows = entries.map((entry) => ({
      key: newKey(),
      writer: this.writer,
      page: location.pathname,
      at: Date.now(),
      ...entry,
    }));
    for (const row of rows) this.unwritten.add(row);
    this.rows.push(...rows);
    this.newest = rows.at(-1);
    this.writing = Promise.all([this.writing, loaded]).then(() => this.write(rows));
    await this.writing;
  }

  /** @param {Row[]} rows */
  async write(rows) {
    try {
      const kept = await enqueue(this.match, rows);
      for (const [n, { match, order }] of kept.entries()) Object.assign(rows[n], { match, order });
    } catch (error) {
      console.warn("entries cannot be kept on this device; they are sent at once", error);
    } finally {
      for (const row of rows) this.unwritten.delete(row);
    }
  }

  /** Wait until the next entry is written down. */
  async written() {
    while (this.rows.length && this.unwritten.has(this.rows[0])) await this.writing;
  }

  /**
   * What goes next in one request, of what is written down; what belongs to no batch yet follows the event `after`.
   * @param {number} after
   * @returns {Row[]}
   */
  nextBatch(after) {
    const rows = this.rows.filter((row) => !this.unwritten.has(row)).slice(0, MOST_AT_ONCE);
    const [first] = rows;
    if (first.batch) return rows.filter((row) => row.batch === first.batch);
    const batch = rows.filter((row) => !row.batch);
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
    await asFarAsPossible(rewrite(onDevice(rows)));
  }

  /** @param {Row[]} rows */
  async drop(rows) {
    const gone = new Set(rows);
    this.rows = this.rows.filter((row) => !gone.has(row));
    await this.writing; // only then it is known where they are kept
    await asFarAsPossible(dequeue(onDevice(rows)));
  }

  /** Let go of what another window of this device has sent or let go of meanwhile; whether there was any. */
  async leaveSettled() {
    const before = new Set(onDevice(this.rows));
    const kept = new Set((await queued(this.match).catch(() => this.rows)).map((row) => row.order));
    const left = this.rows.filter((row) => !before.has(row) || kept.has(row.order));
    const isLess = left.length < this.rows.length;
    if (isLess) this.rows = left;
    return isLess;
  }
}
