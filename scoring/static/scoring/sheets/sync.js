// Entries on their way to the sheet: kept first, then sent, each once and in order, however often the line breaks.

import { ask, entryIn, post } from "./asking.js";
import { dequeue, enqueue, keepView, keptView, queued, rewrite } from "./store.js";
import { newKey, say } from "./words.js";

/**
 * @typedef {import("./asking.js").Answer} Answer
 * @typedef {import("./store.js").Row} Row
 * @typedef {{ ref: string, name: string }} Writer as whom a page enters
 * @typedef {Pick<Row, "kind" | "body" | "words" | "unchecked">} Entered
 * @typedef {{ level?: string, words?: string, name?: string, values?: Record<string, unknown> }} Notice
 *
 * @typedef {object} Line what the server tells of an event
 * @property {number} seq
 * @property {string} kind
 * @property {any} body
 * @property {string} words
 * @property {boolean} [undone]
 * @property {number | null} [replaces]
 */

const AGAIN = 4000;

class UnreachableError extends Error {}

/** @type {(answer: Answer | null) => Answer} */
const reached = (answer) => {
  if (answer === null) throw new UnreachableError();
  return answer;
};

/** @type {(value: any) => string} */
const canonical = (value) => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value && typeof value === "object")
    return `{${Object.keys(value)
      .sort()
      .map((key) => `${key}:${canonical(value[key])}`)
      .join(",")}}`;
  return JSON.stringify(value);
};
// The order in which two dice were tapped is no difference.
/** @type {(entry: { kind: string, body: any }) => string} */
const plain = ({ kind, body }) =>
  canonical(kind === "roll" ? { ...body, dice: [...body.dice].sort() } : (body ?? null));
/** @type {(line: Line, row: Row) => boolean} */
const alike = (line, row) => line.kind === row.kind && plain(line) === plain(row);

/**
 * The view, noting when this device saw it: a running clock is counted on from there, whatever time the device has.
 * @type {(view: any) => any}
 */
const seen = (view) => {
  if (view.clock) view.clock.seen ??= Date.now(); // what was told before runs on from then
  return view;
};

/**
 * What there is to see of a view: the time at which it was told is no news.
 * @type {(view: any) => string}
 */
const told = (view) => canonical({ ...view, clock: view.clock && { ...view.clock, now: "", seen: 0 } });

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
    /** @type {Row[]} */
    this.queue = [];
    /** @type {Row[]} what other people entered on this device: it waits for them, and is never sent in this one's name */
    this.others = [];
    this.stranger = false; // this device is signed in as somebody else by now
    this.online = navigator.onLine;
    this.sending = false;
    /** @type {Row[]} the entries of the request that is under way */
    this.onItsWay = [];
    this.missed = 0; // the newest version that was heard of while entries were on their way
    this.keeping = false; // entries are being written down on this device
    /** @type {{ theirs: Line[], shown: Line[], mine: Row[] } | null} */
    this.conflict = null;
    /** @type {{ row: Row, detail: string } | null} */
    this.refused = null;
    this.blocked = ""; // the server will not take anything from this person any more: its words
    /** @type {Notice | null} the last answer worth reading */
    this.notice = null;
    /** @type {Answer | null} the last refusal of another request */
    this.answer = null;
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
      this.view = { ...view, may_write, directs, your_side };
    this.queue = rows.filter((row) => this.isOwn(row));
    this.others = rows.filter((row) => !this.isOwn(row));
    this.isLoaded();
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
    this.tell();
    await this.wake();
  }

  /** @param {Row} row */
  isOwn(row) {
    return this.writer !== null && row.writer?.ref === this.writer.ref;
  }

  /**
   * The entries of other people by whom they are of: [{writer, rows}]; writer is undefined where nobody knows.
   * @returns {{ writer: Writer | null | undefined, rows: Row[] }[]}
   */
  kept() {
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
   * Enter here what was entered with a code that has no person: whoever asks for it answers for it.
   * @param {Row[]} rows
   */
  async adopt(rows) {
    for (const row of rows) row.writer = this.writer;
    await rewrite(rows);
    this.others = this.others.filter((row) => !rows.includes(row));
    this.queue = [...this.queue, ...rows].sort(
      (one, other) => (one.order ?? Infinity) - (other.order ?? Infinity),
    );
    this.tell();
    await this.flush();
  }

  get isStopped() {
    return Boolean(this.conflict || this.refused || this.blocked || this.stranger);
  }

  /** An answer to what was entered is to come. Without a line that is tried again and again: nobody waits for it. */
  get isBusy() {
    return this.sending && this.online;
  }

  async wake() {
    if (this.queue.length && !this.isStopped) await this.flush();
    else await this.refresh();
  }

  /** @param {boolean} online */
  setOnline(online) {
    if (this.online === online) return;
    this.online = online;
    document.dispatchEvent(new CustomEvent("midpoint:line", { detail: { state: online ? "" : "offline" } }));
    this.tell();
  }

  /** The count of what is unsent and a redraw. */
  tell() {
    const waiting = this.others.length + (this.isBusy ? 0 : this.queue.length);
    document.dispatchEvent(new CustomEvent("midpoint:unsent", { detail: { count: waiting } }));
    this.changed();
  }

  /** @param {any} view */
  take(view) {
    this.stranger = Boolean(this.writer && view.writer && view.writer !== this.writer.ref);
    if (this.stranger) return;
    // Signed in again, perhaps in another window: what waited goes on.
    if (this.writer && view.writer && view.may_write) this.blocked = "";
    if (view.seq < this.view.seq || (view.seq === this.view.seq && view.version < this.view.version)) return;
    this.view = seen(view);
    // Kept for a reload without a line; the page goes on where the device cannot keep anything.
    keepView(this.match, view).catch((error) =>
      console.warn("the sheet could not be kept on this device", error),
    );
  }

  /**
   * @param {string} url
   * @returns {Promise<Answer>}
   */
  async state(url) {
    return reached(await ask(url));
  }

  /**
   * With the name of who enters here, so that nobody else who is signed in on this device by now sends it as theirs.
   * @param {string} url
   * @param {object} data
   * @param {string} [method]
   * @returns {Promise<Answer>}
   */
  async post(url, data, method) {
    const headers = this.writer ? { "Midpoint-Writer": this.writer.ref } : undefined;
    return reached(await post(url, data, headers, method));
  }

  /**
   * The sheet has this version now: it is asked for, unless this page has it from its own answer.
   * @param {number} version
   */
  async hear(version) {
    if (this.sending) this.missed = Math.max(this.missed, version);
    else if (version > this.view.version) await this.refresh();
  }

  async refresh() {
    // News of the entries that are on their way just now: their own answer tells the same, and takes them off the queue.
    if (this.sending) {
      this.missed = Infinity;
      return;
    }
    const before = told(this.view) + this.stranger + this.blocked;
    try {
      const { status, data } = await this.state(this.urls.state);
      if (this.sending) return;
      if (status === 200 && data) this.take(data);
      if (this.online && told(this.view) + this.stranger + this.blocked === before) return; // nothing new: a finger may be on the board
      this.setOnline(true);
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      if (!this.online) return;
      this.setOnline(false);
    }
    this.tell();
  }

  /**
   * Put entries {kind, body, unchecked?} on the sheet; they are kept on this device until the server has them.
   * @param {Entered[]} entries
   */
  async record(entries) {
    await this.keep(entries);
    await this.submit();
  }

  /** Show what was kept, and send it. */
  async submit() {
    // Where a request is under way, or none can be, the page shows the entries all the same.
    if (this.sending || this.isStopped || !this.online) this.tell();
    await this.flush();
  }

  /**
   * Write entries down on this device, at the end of the queue.
   * @param {Entered[]} entries
   */
  async keep(entries) {
    this.notice = null;
    this.keeping = true;
    await this.loaded;
    const rows = entries.map((entry) => ({
      key: newKey(),
      writer: this.writer,
      page: location.pathname,
      ...entry,
    }));
    try {
      this.queue.push(...(await enqueue(this.match, rows)));
    } catch (error) {
      console.warn("entries cannot be kept on this device; they are sent at once", error);
      this.queue.push(...rows);
    } finally {
      this.keeping = false;
    }
  }

  /** @returns {Row[]} */
  nextBatch() {
    const [first] = this.queue;
    if (first.batch) return this.queue.filter((row) => row.batch === first.batch);
    const batch = this.queue.filter((row) => !row.batch);
    this.follow(batch, this.view.seq);
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
  async drop(rows) {
    const gone = new Set(rows);
    this.queue = this.queue.filter((row) => !gone.has(row));
    await dequeue(rows.filter((row) => row.order !== undefined));
  }

  /** Let go of the last unsent entry; one that is on its way stays. */
  async dropLast() {
    const last = this.queue.at(-1);
    if (last && !this.onItsWay.includes(last)) await this.drop([last]);
    this.tell();
  }

  /** @param {Row[]} rows */
  async unbatch(rows) {
    for (const row of rows) {
      delete row.batch;
      delete row.after;
    }
    await rewrite(rows.filter((row) => row.order !== undefined));
  }

  async flush() {
    if (this.sending || this.isStopped) return;
    this.sending = true;
    // Without a line nothing changes until there is an answer: what a finger is on stays where it is.
    if (this.online) this.tell();
    try {
      await this.leaveSettled();
      while (this.queue.length && !this.isStopped) await this.sendBatch();
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      this.setOnline(false);
    } finally {
      this.sending = false;
      this.onItsWay = [];
      if (this.online) this.tell();
    }
    if (this.missed && this.online && !this.queue.length) {
      const { missed } = this;
      this.missed = 0;
      if (missed > this.view.version) await this.refresh();
    }
  }

  /** What another window of this device has sent or let go of meanwhile is no longer here to be sent. */
  async leaveSettled() {
    const kept = new Set((await queued(this.match).catch(() => this.queue)).map((row) => row.order));
    const left = this.queue.filter((row) => row.order === undefined || kept.has(row.order));
    if (left.length === this.queue.length) return;
    this.queue = left;
    this.tell();
  }

  async sendBatch() {
    const batch = this.nextBatch();
    this.onItsWay = batch;
    // Written down before it is sent: after a crash the same entries go again with the same keys and the same `after`.
    await rewrite(batch.filter((row) => row.order !== undefined));
    const entries = batch.map(({ key, kind, body }) => ({ key, kind, body }));
    const { status, data } = await this.post(this.urls.events, {
      after: batch[0].after,
      entries,
      holds: this.view.version,
    });
    this.setOnline(true);
    if (status === 200) {
      // First: where the line breaks here, the same entries go again and are answered with the whole sheet.
      const view = await this.whole(data);
      await this.drop(batch);
      // What was made ready to follow the same event, by two who enter on one device, cannot be there: it follows this.
      await this.unbatch(this.queue.filter((row) => row.after === batch[0].after));
      this.take(view);
    } else if (status === 409 && data?.theirs) {
      await this.meet(data, batch[0].after);
    } else if (status === 422 || status === 409 || status === 400) {
      await this.refuse(batch, data);
    } else {
      this.stranger = data?.code === "other_writer";
      if (!this.stranger)
        this.blocked = [401, 403, 404].includes(status) ? say("not_allowed") : data?.detail || String(status);
    }
  }

  /**
   * The view that an answer comes to: the answer itself, or what it changes of the view that this page has.
   * @param {any} data
   * @returns {Promise<any>}
   */
  async whole(data) {
    if (data.follows === undefined) return data;
    const { view } = this;
    const news = (data.lines ?? data.theirs).filter((/** @type {Line} */ line) => line.seq > view.seq);
    if (data.follows === view.version && view.seq + news.length === data.seq) {
      const lines = [...view.lines, ...news];
      const earlier = lines.length > data.keep ? data.earlier : view.earlier;
      return {
        ...view,
        ...data.changes,
        seq: data.seq,
        version: data.version,
        lines: lines.slice(-data.keep),
        earlier,
      };
    }
    const answer = await this.state(this.urls.state);
    if (answer.status !== 200) throw new UnreachableError(`the sheet answered ${answer.status}`);
    return answer.data;
  }

  /**
   * Somebody else was first: what both entered alike is settled, the rest is for people to decide.
   * @param {any} data
   * @param {number | undefined} after
   */
  async meet(data, after) {
    /** @type {Line[]} */
    const theirs = data.theirs;
    const state = data.state ?? (await this.whole(data));
    this.take(state);
    // What they entered and took back again is no difference, unless they took back what stood before.
    const undone = new Set(
      state.lines
        .filter((/** @type {Line} */ line) => line.undone)
        .map((/** @type {Line} */ line) => line.seq),
    );
    // That a seat was opened for a phone differs from nothing that is entered, and no undo takes it back.
    const lines = theirs.filter((line) => !line.replaces && !undone.has(line.seq) && line.kind !== "seat");
    let alikes = 0;
    while (lines[alikes] && this.queue[alikes] && alike(lines[alikes], this.queue[alikes])) alikes += 1;
    await this.drop(this.queue.slice(0, alikes));
    if (alikes === lines.length && alikes) this.notice = { name: "same_entered", values: {} };
    const older = theirs.some(
      (line) => line.replaces && !theirs.some((entered) => entered.seq === line.replaces),
    );
    await this.unbatch(this.queue);
    if (!this.queue.length || (alikes === lines.length && !older)) return;
    // Until people have decided, these entries follow what stood there before: a reload asks the same question again.
    this.follow(this.queue, alikes ? lines[alikes - 1].seq : after);
    await rewrite(this.queue.filter((row) => row.order !== undefined));
    this.conflict = {
      theirs: lines.slice(alikes),
      shown: older ? theirs : lines.slice(alikes),
      mine: [...this.queue],
    };
  }

  /**
   * @param {Row[]} batch
   * @param {any} data
   */
  async refuse(batch, data) {
    const { after } = batch[0];
    await this.unbatch(this.queue);
    // What comes before the one that does not fit is good: that goes first.
    const at = entryIn(data);
    const next = batch.slice(0, at || 1);
    this.follow(next, after);
    await rewrite(next.filter((row) => row.order !== undefined));
    if (at > 0) return;
    const detail = data?.detail ?? "";
    if (this.queue.length === 1 && !batch[0].unchecked) {
      await this.drop(batch.slice(0, 1));
      this.notice = { level: "error", words: detail };
    } else {
      this.refused = { row: batch[0], detail };
    }
  }

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
    if (isDone) await this.unbatch(this.queue);
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
    if (this.queue.length && after !== undefined) this.follow([...this.queue], after);
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
    await rewrite([row]);
    this.refused = null;
    await this.flush();
  }

  /** Take the last recorded event back; whether that worked. */
  async undo() {
    return this.send(this.urls.undo, { after: this.view.seq, key: newKey() });
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
      const answer = await this.post(url, data, method);
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
