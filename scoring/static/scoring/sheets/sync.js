// Entries on their way to the sheet: kept first, then sent, each once and in order, however often the line breaks.
// What waits on this device is in queue.js, its way to the server in sending.js; here is what a page has and does of both.

import { isShutOut } from "./asking.js";
import { Connection, UnreachableError } from "./connection.js";
import { Queue } from "./queue.js";
import { Sending } from "./sending.js";
import { keepView, keptView, queued } from "./store.js";
import { isOlder, seen, told } from "./views.js";
import { newKey, noticeWords, say } from "./words.js";

/**
 * @typedef {import("./asking.js").Answer} Answer
 * @typedef {import("./queue.js").Entered} Entered
 * @typedef {import("./queue.js").Writer} Writer
 * @typedef {import("./store.js").Row} Row
 * @typedef {import("./views.js").Line} Line
 * @typedef {{ level?: string, words?: string, name?: string, values?: Record<string, unknown> }} Notice
 * @typedef {{ theirs: Line[], shown: Line[], mine: Row[] }} Conflict what others entered first, and what waits here instead
 */

const AGAIN = 4000;
const READ = 6000; // milliseconds until a notice is read

export class Sync {
  /**
   * @param {object} parts
   * @param {string} parts.match
   * @param {Record<string, string>} parts.urls
   * @param {any} parts.view the sheet or the table as the server told it last
   * @param {Writer | null} parts.writer as whom this page enters, null for who watches
   * @param {() => void} parts.changed called whenever there is something new to show
   */
  constructor({ match, urls, view, writer, changed }) {
    this.match = match;
    this.urls = urls;
    this.view = seen(view);
    this.writer = writer;
    this.changed = changed;
    this.waiting = new Queue({ match, writer });
    this.connection = new Connection(writer);
    this.sender = new Sending(this);
    this.stranger = false; // this device is signed in as somebody else by now
    /** @type {Conflict | null} */
    this.conflict = null;
    /** @type {{ row: Row, detail: string } | null} */
    this.refused = null;
    this.differs = ""; // a position and roll whose plays the server told otherwise than this page found them
    this.blocked = ""; // the server will not take anything from this person any more: its words
    /** @type {Notice | null} */
    this.toldNotice = null;
    this.noticed = { seq: 0, at: 0 };
    /** @type {Answer | null} the last refusal of another request */
    this.answer = null;
    /** @type {Promise<any> | null} an undo that is not answered yet */
    this.undoing = null;
    this.isLoaded = () => {};
    // What is entered before the device's own entries are read waits, to come after them.
    /** @type {Promise<void>} */
    this.loaded = new Promise((resolve) => {
      this.isLoaded = resolve;
    });
  }

  /** Read what this device kept, then ask the server. */
  async open() {
    const kept = Promise.all([keptView(this.match), queued(this.match)]);
    const [view, rows] = await kept.catch((error) => {
      console.warn("this device keeps nothing", error); // storage is shut off: everything goes at once
      return /** @type {[undefined, Row[]]} */ ([undefined, []]);
    });
    const { may_write, directs, your_side } = this.view;
    if (view && view.version >= this.view.version && view.seq >= this.view.seq)
      this.view = { ...this.view, ...view, may_write, directs, your_side }; // an older page kept less
    this.waiting.begin(rows);
    this.isLoaded();
    this.listen();
    this.tell();
    await this.wake();
  }

  listen() {
    window.addEventListener("online", () => this.wake());
    window.addEventListener("offline", () => this.setOnline(false));
    document.addEventListener(
      "visibilitychange",
      () => document.visibilityState === "visible" && this.wake(),
    );
    setInterval(
      () =>
        !this.online || this.queue.length
          ? this.wake()
          : document.documentElement.dataset.line === "live" || this.refresh(),
      AGAIN,
    );
  }

  // What waits --------------------------------------------------------------------------------------------

  get queue() {
    return this.waiting.rows;
  }

  /** The entries of other people who entered on this device, by whom they are of. */
  kept() {
    return this.waiting.ofOthers();
  }

  /**
   * Enter here what was entered with a code that has no person: whoever asks for it answers for it.
   * @param {Row[]} rows
   */
  async adopt(rows) {
    await this.waiting.adopt(rows);
    this.tell();
    await this.flush();
  }

  /**
   * Put entries {kind, body, unchecked?} on the sheet: they are shown at once, and kept on this device until the server
   * has them.
   * @param {Entered[]} entries
   */
  async record(entries) {
    await Promise.all([this.keep(entries), this.submit()]);
  }

  /**
   * Write entries down on this device, at the end of the queue.
   * @param {Entered[]} entries
   */
  async keep(entries) {
    this.notice = null;
    await this.waiting.keep(entries, this.loaded);
  }

  /** Show what was kept, and send it. */
  async submit() {
    // Where a request is under way, or none can be, the page shows the entries all the same.
    if (this.sending || this.isStopped || !this.online) this.tell();
    await this.flush();
  }

  /** @param {Row[]} rows */
  async drop(rows) {
    await this.waiting.drop(rows);
  }

  /** Let go of the last unsent entry; one that is on its way is undone once it has arrived, if nothing follows it. */
  async dropLast() {
    const last = this.queue.at(-1);
    if (last && this.onItsWay.includes(last)) {
      await this.sender.arrived;
      const isLast = this.waiting.newest === last && !this.queue.length;
      if (isLast && this.online && !this.isStopped) await this.undo();
      return;
    }
    if (last) await this.drop([last]);
    this.tell();
  }

  // On the way --------------------------------------------------------------------------------------------

  get online() {
    return this.connection.isOnline;
  }

  get sending() {
    return this.sender.isUnderWay;
  }

  /** The entries of the request that is under way. */
  get onItsWay() {
    return this.sender.batch;
  }

  get isStopped() {
    return Boolean(this.conflict || this.refused || this.blocked || this.stranger);
  }

  /** An answer to what was entered is to come. Without a line that is tried again and again: nobody waits for it. */
  get isBusy() {
    return this.sending && this.online;
  }

  async flush() {
    await this.sender.flush();
  }

  async wake() {
    if (this.queue.length && !this.isStopped) await this.flush();
    else await this.refresh();
  }

  /** @param {boolean} online */
  setOnline(online) {
    if (online && this.notice?.name === "needs_line") this.notice = null;
    if (this.connection.turn(online)) this.tell();
  }

  /** The count of what is unsent and a redraw. */
  tell() {
    const waiting = this.waiting.others.length + (this.isBusy ? 0 : this.queue.length);
    document.dispatchEvent(new CustomEvent("midpoint:unsent", { detail: { count: waiting } }));
    this.changed();
  }

  // Notices -----------------------------------------------------------------------------------------------

  /** The last answer worth reading, until the next entry, until it is closed, or until what it is about is over. */
  get notice() {
    return this.toldNotice;
  }

  set notice(/** @type {Notice | null} */ notice) {
    this.toldNotice = notice;
    this.noticed = { seq: this.view.seq, at: Date.now() };
  }

  /** Once it is read, a notice goes with the next event: it was about the sheet as it was before. */
  forgetOldNotice() {
    if (this.view.seq > this.noticed.seq && Date.now() - this.noticed.at > READ) this.toldNotice = null;
  }

  /** The notice's words for who tells them elsewhere: the page does not tell them a second time. */
  takeNotice() {
    const words = noticeWords(this.notice);
    this.dismiss();
    return words;
  }

  dismiss() {
    this.notice = null;
    this.changed();
  }

  // The view ----------------------------------------------------------------------------------------------

  /** @param {any} view */
  take(view) {
    this.stranger = Boolean(this.writer && view.writer && view.writer !== this.writer.ref);
    if (this.stranger) return;
    // Signed in again, perhaps in another window: what waited goes on.
    if (this.writer && view.writer && view.may_write) this.blocked = "";
    if (isOlder(view, this.view)) return;
    this.view = seen(view);
    this.forgetOldNotice();
    // Kept for a reload without a line; the page goes on where the device cannot keep anything.
    keepView(this.match, view).catch((error) =>
      console.warn("the sheet could not be kept on this device", error),
    );
  }

  /** Whoever enters here may not any more: the page says so, keeps what waits and goes on showing what it has. */
  shutOut() {
    this.blocked = say("not_allowed");
  }

  /**
   * The sheet has this version now: it is asked for, unless this page has it from its own answer.
   * @param {number} version
   */
  async hear(version) {
    if (this.sending) this.sender.missed = Math.max(this.sender.missed, version);
    else if (version > this.view.version) await this.refresh();
  }

  async refresh() {
    // News of the entries that are on their way just now: their own answer tells the same, and takes them off the queue.
    if (this.sending) {
      this.sender.missed = Infinity;
      return;
    }
    const before = told(this.view) + this.stranger + this.blocked;
    try {
      const { status, data } = await this.connection.ask(this.urls.state);
      if (this.sending) return;
      if (status === 200 && data) this.take(data);
      // In the words of our own server: what stands between answers in others.
      else if (isShutOut(status) && data && this.writer) this.shutOut();
      if (this.online && told(this.view) + this.stranger + this.blocked === before) return; // nothing new: a finger may be on the board
      this.setOnline(true);
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      if (!this.online) return;
      this.setOnline(false);
    }
    this.tell();
  }

  // What people decide ------------------------------------------------------------------------------------

  /**
   * What people decided about a conflict: "theirs", "mine" (theirs is taken back first) or "both".
   * @param {string} choice
   */
  async settle(choice) {
    if (!this.conflict) return;
    const { theirs, mine } = this.conflict;
    let isDone = true;
    if (choice === "theirs") await this.drop(mine);
    if (choice === "mine") for (const _line of theirs) isDone &&= Boolean(await this.undo());
    // Where not all of theirs could be taken back, the sheet is asked again what differs now.
    if (isDone) await this.waiting.unbatch(this.queue);
    this.conflict = null;
    this.tell();
    await this.flush();
  }

  /**
   * Let go of a refused entry, alone or with all that follow it.
   * @param {{ all: boolean }} options
   */
  async forget({ all }) {
    const after = this.queue[0]?.after;
    const first = this.refused ? [this.refused.row] : [];
    await this.drop(all ? [...this.queue] : first);
    if (this.queue.length && after !== undefined) this.waiting.follow([...this.queue], after);
    this.refused = null;
    this.blocked = "";
    this.tell();
    if (this.queue.length) await this.flush();
  }

  /**
   * Put a corrected entry in the place of the refused one.
   * @param {{ kind: string, body: object }} entry
   */
  async replaceRefused({ kind, body }) {
    if (!this.refused) return;
    const { row } = this.refused;
    Object.assign(row, { kind, body, key: newKey(), unchecked: false });
    await this.waiting.rewrite([row]);
    this.refused = null;
    await this.flush();
  }

  // Other requests ----------------------------------------------------------------------------------------

  /** Take the last recorded event back; whether that worked. A tap meanwhile is for the same one. */
  async undo() {
    this.undoing ??= this.send(this.urls.undo, { after: this.view.seq, key: newKey() }).finally(() => {
      this.undoing = null;
    });
    return this.undoing;
  }

  /**
   * A request of another kind, answered with the sheet or with what was made; refusals become a notice. Needs the line.
   * @param {string} url
   * @param {object} data
   * @param {string} [method]
   * @returns {Promise<any>}
   */
  async send(url, data, method) {
    this.notice = null;
    this.answer = null;
    try {
      const answer = await this.connection.post(url, data, method);
      this.setOnline(true);
      if (answer.status === 200 || answer.status === 201) {
        if (answer.data.seq !== undefined) this.take(answer.data);
        return answer.data;
      }
      if (answer.status === 409 && answer.data?.state) {
        this.take(answer.data.state);
        this.notice = {
          name: "changed_meanwhile",
          values: {
            what: (answer.data.theirs ?? []).map((/** @type {Line} */ line) => line.words).join("; "),
          },
        };
      } else if (!answer.data?.does_not_fit) {
        this.notice = { level: "error", words: answer.data?.detail ?? String(answer.status) };
      }
      this.answer = answer;
      return null;
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      this.setOnline(false);
      this.notice = { name: "needs_line", values: {}, level: "warning" };
      return null;
    } finally {
      this.tell();
    }
  }
}
