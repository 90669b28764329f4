// What a sheet's addresses answer, for scripts that send to them: a log in which each key stands once.
// tests/scoring/sheets/test_answers.py and test_appending.py hold the server itself to the same answers.

export const URLS = { state: "/state", events: "/events", undo: "/undo", claims: "/claims", clock: "/clock" };

const answer = (status, data) =>
  new Response(JSON.stringify(data), { status, headers: { "Content-Type": "application/json" } });

const refusal = (detail, field) =>
  answer(422, {
    detail,
    code: "illegal",
    errors: [{ field, value: null, message: detail, code: "illegal" }],
  });

export class SheetServer {
  constructor() {
    this.lines = [];
    this.known = new Map();
    this.isReachable = true;
    /** @type {(() => Response) | null} */
    this.stands = null; // what answers in its place
    this.answers = Promise.resolve(); // until then everybody who sends waits
    this.losesAnswers = 0;
    this.whole = (/** @type {any} */ view) => view; // the sheet on which the lines are
    this.refuses = (/** @type {any} */ _entry) => null; // a line's words where it does not fit
    this.forbids = null; // [status, data] for everything that is sent
    this.writer = "login-1";
    this.asked = 0; // how often the whole sheet was
    this.behindBy = 0; // how far answers miss the version that the page holds
    this.told = []; // what pages said of plays that differ
    this.sent = []; // every batch that came in, as the kinds in it
    this.touches = []; // of the clock
    this.named = []; // as whom each of them was sent
    globalThis.fetch = (url, options) => this.fetch(url, options);
  }

  get view() {
    return this.whole({
      version: this.lines.length,
      seq: this.lines.at(-1)?.seq ?? 0,
      writer: this.writer,
      may_write: true,
      lines: structuredClone(this.lines),
    });
  }

  get kinds() {
    return this.lines.filter((line) => !line.undone && line.kind !== "voided").map((line) => line.kind);
  }

  /** Leave everybody who sends waiting; returns what answers them. */
  hold() {
    let release;
    this.answers = new Promise((done) => {
      release = done;
    });
    return release;
  }

  /** Somebody else enters this on a device of their own. */
  enter(kind, body = {}, rest = {}) {
    this.lines.push({ seq: this.view.seq + 1, kind, body, undone: false, words: `their ${kind}`, ...rest });
  }

  takeBack() {
    const last = this.lines.filter((line) => !line.undone && line.kind !== "voided").at(-1);
    last.undone = true;
    this.enter("voided", {}, { replaces: last.seq });
  }

  async fetch(url, { body = "null", headers = {} } = {}) {
    if (url !== URLS.state) this.named.push(headers["Midpoint-Writer"]);
    if (url !== URLS.state) await this.answers;
    if (!this.isReachable) throw new TypeError("fetch failed");
    if (this.stands) return this.stands();
    if (url === URLS.state) this.asked += 1;
    const found =
      url === URLS.state
        ? answer(200, this.view)
        : this.forbids
          ? answer(...this.forbids)
          : this.post(url, JSON.parse(body));
    if (url !== URLS.state && this.losesAnswers) {
      this.losesAnswers -= 1;
      throw new TypeError("connection reset");
    }
    return found;
  }

  /** What a page lacks that holds this version; the whole view where more than plays came between. */
  behind(after, holds) {
    const theirs = this.lines.filter(({ seq }) => seq > after);
    const { lines, version, seq, ...changes } = this.view;
    const areAll = holds !== undefined && theirs.every(({ kind }) => ["roll", "play"].includes(kind));
    return answer(
      409,
      areAll
        ? { follows: holds + this.behindBy, seq, version, changes, keep: 30, earlier: null, theirs }
        : { state: this.view, theirs },
    );
  }

  post(url, { after, entries, holds, differs, ...touch }) {
    if (url === URLS.clock) {
      this.touches.push(touch);
      return answer(200, this.view);
    }
    if (differs) this.told.push(differs);
    if (url === URLS.claims) return answer(200, { revoked: 0 });
    if (url === URLS.undo) {
      if (after !== this.view.seq) return this.behind(after);
      this.takeBack();
      return answer(200, this.view);
    }
    this.sent.push(entries.map(({ kind }) => kind));
    if (entries.every((entry) => this.known.has(entry.key))) return answer(200, this.view);
    if (after !== this.view.seq) return this.behind(after, holds);
    const at = entries.findIndex((entry) => this.refuses(entry));
    if (at >= 0) return refusal(this.refuses(entries[at]), `entries.${at}`);
    for (const entry of entries) {
      this.enter(entry.kind, entry.body);
      this.known.set(entry.key, this.view.seq);
    }
    return answer(200, this.view);
  }
}
