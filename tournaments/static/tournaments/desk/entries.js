// Offline entries of the desk: stored on this device, then sent in order, each once.

import { dequeue, enqueue, queued, rewrite } from "../../scoring/sheets/store.js";

/**
 * @typedef {{ key: string, url: string, words: string, target?: string, body: { seen?: number }, order?: number,
 *   writer: { ref: string, name: string } }} Entry
 * @typedef {{ status: number, data?: { seen?: number, detail?: string, code?: string } | null }} Answer
 * @typedef {{ changed(): void, sent(): void, offline(is: boolean): void, stopped(why: string): void,
 *   resumed(): void, overtaken(entry: Entry, why: string): void }} Page callbacks of the page
 */

const TAKEN = new Set([400, 404, 409, 422]); // final answers to an entry: it is not sent again

export class Entries {
  /**
   * `writer` {ref, name} is the user of the page. `post(entry)` and `isWriter()` ask the server; null: no answer.
   * @param {object} parts
   * @param {string} parts.queue
   * @param {{ ref: string, name: string }} parts.writer
   * @param {(entry: Entry) => Promise<Answer | null>} parts.post
   * @param {() => Promise<boolean | null>} parts.isWriter
   * @param {Page} parts.page
   */
  constructor({ queue, writer, post, isWriter, page }) {
    this.queue = queue;
    this.writer = writer;
    this.post = post;
    this.isWriter = isWriter;
    this.page = page;
    /** @type {Entry[]} */
    this.waiting = []; // unsent entries, in order
    this.others = 0; // number of unsent entries of other users on this device, which are only sent when they sign in
    this.sending = false;
    this.shut = false; // the server refuses this page; the director must reload it
  }

  /** @param {Entry} row */
  isOwn(row) {
    return row.writer?.ref === this.writer.ref;
  }

  /** Load the stored entries; entries made meanwhile follow them. */
  async open() {
    const kept = /** @type {any[]} */ (await queued(this.queue));
    const here = new Set(this.waiting.map((entry) => entry.key));
    this.waiting = [...kept.filter((row) => this.isOwn(row) && !here.has(row.key)), ...this.waiting];
    this.others = kept.filter((row) => !this.isOwn(row)).length;
    this.page.changed();
  }

  /** @param {Entry} entry */
  async keep(entry) {
    try {
      this.waiting.push(...(await enqueue(this.queue, [entry])));
    } catch (error) {
      console.warn("the entry cannot be stored on this device; it is sent from the page", error);
      this.waiting.push(entry);
    }
    this.page.changed();
  }

  /** @param {Entry} entry */
  async drop(entry) {
    this.waiting = this.waiting.filter((each) => each !== entry);
    if (entry.order !== undefined) await dequeue([entry]);
  }

  /**
   * Update `seen` of later entries of the same match to the state after this one.
   * @param {Entry} entry
   * @param {Answer["data"]} data
   */
  async follow(entry, data) {
    const seen = data?.seen;
    if (seen === undefined) return;
    const later = this.waiting.filter(
      (each) => each.target === entry.target && each.body.seen === entry.body.seen,
    );
    for (const each of later) each.body = { ...each.body, seen };
    await rewrite(later.filter((each) => each.order !== undefined));
  }

  /** Send the unsent entries in order, each once: the server knows the key of one whose answer got lost. */
  async flush() {
    if (this.sending || this.shut) return;
    this.sending = true;
    try {
      if (!this.waiting.length) return;
      const own = await this.isWriter();
      this.page.offline(own === null);
      if (own === false) this.page.stopped("");
      if (!own) return;
      this.page.resumed();
      while (this.waiting.length) {
        if (!(await this.sendFirst())) return;
      }
    } finally {
      this.sending = false;
      this.page.changed();
      this.page.sent();
    }
  }

  /** Send the first entry; returns whether to go on. */
  async sendFirst() {
    const [entry] = this.waiting;
    const answer = await this.post(entry);
    this.page.offline(answer === null);
    if (answer === null) return false;
    if (answer.status === 429 || (answer.status === 409 && answer.data?.code === "in_progress")) return false;
    const why = answer.data?.detail ?? String(answer.status);
    if (answer.status >= 400 && !TAKEN.has(answer.status)) {
      this.shut = answer.status !== 401;
      this.page.stopped(why);
      return false;
    }
    await this.drop(entry);
    await this.follow(entry, answer.data);
    if (answer.status >= 400) this.page.overtaken(entry, why);
    return true;
  }
}
