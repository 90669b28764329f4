// Lines that are typed: they go one after the other, while the next is typed already. One that is refused waits to be
// corrected, and those behind it wait with it: whoever looks at a video types on.

/**
 * @typedef {object} Refusal why a line was not taken
 * @property {string} text
 * @property {string} problem
 * @property {{ text: string, words: string }[]} readings what it may have meant
 */

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
  /** @type {string[]} lines that wait for the one before */
  lines = [];
  /** @type {Refusal | null} the refused line that waits to be corrected */
  refused = null;
  isSending = false;

  /** @param {{ send: (text: string) => Promise<Refusal | null>, changed: () => void }} parts `changed`: what waits */
  constructor({ send, changed }) {
    this.send = send;
    this.changed = changed;
  }

  /** @param {string} text */
  async add(text) {
    this.lines.push(text);
    if (this.refused) this.changed();
    else await this.sendAll();
  }

  /**
   * Send the refused line in other words, or leave it out.
   * @param {string} text empty to leave it out
   */
  async answer(text) {
    this.refused = null;
    if (text) this.lines.unshift(text);
    this.changed();
    await this.sendAll();
  }

  async sendAll() {
    if (this.isSending) return;
    this.isSending = true;
    try {
      while (!this.refused) {
        const text = this.lines.shift();
        if (text === undefined) return;
        this.refused = await this.send(text);
        if (this.refused) this.changed();
      }
    } finally {
      this.isSending = false;
    }
  }
}
