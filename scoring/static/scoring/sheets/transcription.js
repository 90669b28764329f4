// Lines that are typed: they go one after the other, while the next is typed already. One that is refused waits to be
// corrected, and those behind it wait with it: whoever looks at a video types on. Without a connection they wait, too, and go
// on by themselves.

/**
 * @typedef {object} Refusal why a line was not taken
 * @property {string} text
 * @property {string} problem
 * @property {{ text: string, words: string }[]} readings what it may have meant
 */

/**
 * @typedef {{ text: string, key: string }} Line a typed line; sent again with its key it is entered once
 */

/** What sending a line comes to where the server is not reached. */
export const UNREACHED = "unreached";

/**
 * The time in the video with which an entered line begins: "@12:34 31 85 65".
 * @param {string} text
 */
export const timeIn = (text) => {
  const words = /^\s*@([\d:]+)/.exec(text)?.[1];
  if (!words) return null;
  return { words, seconds: words.split(":").reduce((sum, part) => 60 * sum + Number(part), 0) };
};

export class Transcription {
  /** @type {Line[]} lines that wait for the one before */
  lines = [];
  /** @type {Line | null} the line that is on its way */
  sent = null;
  /** @type {Refusal | null} the refused line that waits to be corrected */
  refused = null;
  isSending = false;
  /** The lines wait for a connection. */
  isHeld = false;

  /**
   * @param {object} parts
   * @param {(line: Line) => Promise<Refusal | typeof UNREACHED | null>} parts.send
   * @param {() => void} parts.changed what waits
   * @param {() => string} parts.newKey
   * @param {(lines: Line[]) => void} [parts.keep] all lines that are not entered yet, whenever others are
   */
  constructor({ send, changed, newKey, keep = () => {} }) {
    this.send = send;
    this.changed = changed;
    this.newKey = newKey;
    this.keep = keep;
  }

  /**
   * Go on with lines that were typed before, once there is a connection.
   * @param {Line[]} lines
   */
  hold(lines) {
    this.lines = lines;
    this.isHeld = lines.length > 0;
    this.changed();
  }

  /** Tell what is not entered yet. */
  keepAll() {
    const { refused, sent } = this;
    const first = refused ? [{ text: refused.text, key: this.newKey() }] : [];
    this.keep([...first, ...(sent ? [sent] : []), ...this.lines]);
  }

  /** @param {string} text */
  async add(text) {
    this.lines.push({ text, key: this.newKey() });
    this.keepAll();
    if (this.refused || this.isHeld) this.changed();
    await this.sendAll();
  }

  /**
   * Send the refused line in other words, or leave it out.
   * @param {string} text empty to leave it out
   */
  async answer(text) {
    this.refused = null;
    if (text) this.lines.unshift({ text, key: this.newKey() });
    this.keepAll();
    this.changed();
    await this.sendAll();
  }

  async sendAll() {
    if (this.isSending) return;
    this.isSending = true;
    const wasHeld = this.isHeld;
    this.isHeld = false;
    try {
      while (!this.refused && !this.isHeld) {
        const line = this.lines.shift();
        if (!line) return;
        await this.sendOne(line);
        if (this.refused || this.isHeld || wasHeld) this.changed();
      }
    } finally {
      this.isSending = false;
    }
  }

  /** @param {Line} line */
  async sendOne(line) {
    this.sent = line;
    const answer = await this.send(line);
    this.sent = null;
    if (answer === UNREACHED) {
      this.lines.unshift(line);
      this.isHeld = true;
    } else this.refused = answer;
    this.keepAll();
  }

  /** Send what waits, if there is a connection again. */
  async goOn() {
    if (this.lines.length && !this.refused) await this.sendAll();
  }
}
