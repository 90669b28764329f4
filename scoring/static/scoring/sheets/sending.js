// The queue on its way: batch after batch, each once and in order, and what the server answers to each.

import { entryIn, isShutOut } from "./asking.js";
import { UnreachableError } from "./connection.js";
import { differences, recordedPayments } from "./differences.js";
import { continued } from "./views.js";
import { say } from "./words.js";

/**
 * @typedef {import("./asking.js").Answer} Answer
 * @typedef {import("./store.js").Row} Row
 * @typedef {import("./views.js").Line} Line
 */

/**
 * Lines with what they undo, where the sheet still shows that.
 * @type {(shown: Line[]) => (line: Line) => Line}
 */
const saying = (shown) => (line) => {
  const undone = line.kind === "voided" && shown.find(({ seq }) => seq === line.replaces);
  return undone ? { ...line, words: say("undone_what", { what: undone.words }) } : line;
};

export class Sending {
  isUnderWay = false;
  /** @type {Row[]} the entries of the request that is under way */
  batch = [];
  /** @type {Promise<void>} until nothing is under way any more */
  arrived = Promise.resolve();
  missed = 0; // the newest version that was heard of while entries were on their way

  /** @param {import("./sync.js").Sync} sync */
  constructor(sync) {
    this.sync = sync;
    this.waiting = sync.waiting;
  }

  async flush() {
    if (this.isUnderWay || this.sync.isStopped) return;
    this.isUnderWay = true;
    this.arrived = this.sendAll();
    await this.arrived;
    await this.catchUp();
  }

  async sendAll() {
    const { sync, waiting } = this;
    // Without a line nothing changes until there is an answer: what a finger is on stays where it is.
    if (sync.online) sync.tell();
    try {
      await waiting.written();
      if (await waiting.leaveSettled()) sync.tell();
      while (waiting.rows.length && !sync.isStopped) await this.sendBatch();
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      for (const row of waiting.rows) row.late = true;
      sync.setOnline(false);
    } finally {
      this.isUnderWay = false;
      this.batch = [];
      if (sync.online) sync.tell();
    }
  }

  /** Ask for what was heard of meanwhile, unless it came with an answer. */
  async catchUp() {
    const { missed, sync } = this;
    if (!missed || !sync.online || this.waiting.rows.length) return;
    this.missed = 0;
    if (missed > sync.view.version) await sync.refresh();
  }

  async sendBatch() {
    const { sync, waiting } = this;
    await waiting.written();
    if (!waiting.rows.length) return;
    const batch = waiting.nextBatch(sync.view.seq);
    this.batch = batch;
    // Written down before it is sent: after a crash the same entries go again with the same keys and the same `after`.
    await waiting.rewrite(batch);
    const entries = batch.map(({ key, kind, body }) => ({ key, kind, body }));
    const { differs } = sync;
    const answer = await sync.connection.post(sync.urls.events, {
      after: batch[0].after,
      entries,
      holds: sync.view.version,
      ...(differs && { differs }),
    });
    sync.setOnline(true);
    if (sync.differs === differs) sync.differs = "";
    await this.take(batch, answer);
  }

  /**
   * @param {Row[]} batch
   * @param {Answer} answer
   */
  async take(batch, { status, data }) {
    if (status === 200) await this.accept(batch, data);
    else if (status === 409 && data?.theirs) await this.meet(data, batch[0].after);
    else if (status === 422 || status === 409 || status === 400) await this.refuse(batch, data);
    else this.bar(status, data);
  }

  /**
   * @param {Row[]} batch
   * @param {any} data
   */
  async accept(batch, data) {
    // First: where the line breaks here, the same entries go again and are answered with the whole sheet.
    const view = await this.whole(data);
    // At once: whoever taps in between goes on from the entries, whichever of the two has them.
    const dropped = this.waiting.drop(batch);
    this.sync.take(view);
    await dropped;
    // What was made ready to follow the same event, by two who enter on one device, cannot be there: it follows this.
    await this.waiting.unbatch(this.waiting.rows.filter((row) => row.after === batch[0].after));
  }

  /**
   * Nothing is taken from this person any more, or from this device as this person's.
   * @param {number} status
   * @param {any} data
   */
  bar(status, data) {
    const { sync } = this;
    sync.stranger = data?.code === "other_writer";
    if (sync.stranger) return;
    if (isShutOut(status)) sync.shutOut();
    else sync.blocked = data?.detail || String(status);
  }

  /**
   * The view that an answer comes to; where it follows another one than this page has, the server is asked for the whole.
   * @param {any} data
   * @returns {Promise<any>}
   */
  async whole(data) {
    const { sync } = this;
    const view = continued(sync.view, data);
    if (view) return view;
    const answer = await sync.connection.ask(sync.urls.state);
    if (answer.status !== 200) throw new UnreachableError(`the sheet answered ${answer.status}`);
    return answer.data;
  }

  /**
   * Somebody else was first: what both entered alike is settled, the rest is for people to decide.
   * @param {any} data
   * @param {number | undefined} after
   */
  async meet(data, after) {
    const { sync, waiting } = this;
    const { theirs } = data;
    const state = data.state ?? (await this.whole(data));
    sync.take(state);
    const paid = recordedPayments(theirs, state.lines, waiting.rows);
    await waiting.drop(paid);
    if (paid.length) sync.notice = { name: "same_entered", values: {} };
    const { lines, alikes, older } = differences(theirs, state.lines, waiting.rows);
    await waiting.drop(waiting.rows.slice(0, alikes));
    if (alikes === lines.length && alikes) sync.notice = { name: "same_entered", values: {} };
    await waiting.unbatch(waiting.rows);
    if (!waiting.rows.length || (alikes === lines.length && !older)) return;
    // Until people have decided, these entries follow what stood there before: a reload asks the same question again.
    waiting.follow(waiting.rows, alikes ? lines[alikes - 1].seq : after);
    await waiting.rewrite(waiting.rows);
    sync.conflict = {
      theirs: lines.slice(alikes),
      shown: older ? theirs.map(saying(state.lines)) : lines.slice(alikes),
      mine: [...waiting.rows],
    };
  }

  /**
   * @param {Row[]} batch
   * @param {any} data
   */
  async refuse(batch, data) {
    const { sync, waiting } = this;
    const { after } = batch[0];
    await waiting.unbatch(waiting.rows);
    // What comes before the one that does not fit is good: that goes first.
    const at = entryIn(data);
    const next = batch.slice(0, at || 1);
    waiting.follow(next, after);
    await waiting.rewrite(next);
    if (at > 0) return;
    const detail = data?.detail ?? "";
    const [{ kind, body, late, unchecked }] = batch;
    if (kind === "play" && !body.status && !unchecked) sync.differs = JSON.stringify({ ...body, detail });
    if (waiting.rows.length === 1 && !unchecked && !late) {
      await waiting.drop(batch.slice(0, 1));
      sync.notice = { level: "error", words: detail };
    } else {
      sync.refused = { row: batch[0], detail };
    }
  }
}
