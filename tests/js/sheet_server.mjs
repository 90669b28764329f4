// What a sheet's addresses answer, for scripts that send to them: a log in which each key stands once.
// tests/scoring/sheets and tests/scoring/api hold the server itself to the same answers.

export const URLS = { state: "/state", events: "/events", undo: "/undo" };

const answer = (status, data) => new Response(JSON.stringify(data), { status, headers: { "Content-Type": "application/json" } });

export class SheetServer {
  constructor() {
    this.lines = [];
    this.known = new Map();
    this.isReachable = true;
    this.losesAnswers = 0;
    this.refuses = () => null; // a line's words where it does not fit
    this.forbids = null; // [status, data] for everything that is sent
    this.writer = "login-1";
    this.sent = []; // every batch that came in, as the kinds in it
    globalThis.fetch = (url, options) => this.fetch(url, options);
  }

  get view() {
    return { version: this.lines.length, seq: this.lines.at(-1)?.seq ?? 0, writer: this.writer, may_write: true, lines: structuredClone(this.lines) };
  }

  get kinds() {
    return this.lines.filter((line) => !line.undone && line.kind !== "voided").map((line) => line.kind);
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

  async fetch(url, { body } = {}) {
    if (!this.isReachable) throw new TypeError("fetch failed");
    const found = url === URLS.state ? answer(200, this.view) : this.forbids ? answer(...this.forbids) : this.post(url, JSON.parse(body));
    if (url !== URLS.state && this.losesAnswers) {
      this.losesAnswers -= 1;
      throw new TypeError("connection reset");
    }
    return found;
  }

  post(url, { after, key, entries }) {
    if (url === URLS.undo) {
      if (after !== this.view.seq) return answer(409, { state: this.view, theirs: this.lines.filter(({ seq }) => seq > after) });
      this.takeBack();
      return answer(200, this.view);
    }
    this.sent.push(entries.map(({ kind }) => kind));
    if (entries.every((entry) => this.known.has(entry.key))) return answer(200, this.view);
    if (after !== this.view.seq) return answer(409, { state: this.view, theirs: this.lines.filter(({ seq }) => seq > after) });
    const at = entries.findIndex((entry) => this.refuses(entry));
    if (at >= 0) return answer(422, { detail: this.refuses(entries[at]), at });
    for (const entry of entries) {
      this.enter(entry.kind, entry.body);
      this.known.set(entry.key, this.view.seq);
    }
    return answer(200, this.view);
  }
}
