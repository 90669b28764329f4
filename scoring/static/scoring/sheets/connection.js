// The line to the server: whether anybody answers, and questions in the name of who enters here.

import { ask, post } from "./asking.js";

/** @typedef {import("./asking.js").Answer} Answer */

export class UnreachableError extends Error {}

/** @type {(answer: Answer | null) => Answer} */
const reached = (answer) => {
  if (answer === null) throw new UnreachableError();
  return answer;
};

export class Connection {
  /** @param {import("./queue.js").Writer | null} writer */
  constructor(writer) {
    this.writer = writer;
    this.isOnline = navigator.onLine;
  }

  /**
   * There is a line now, or none; whether that is news.
   * @param {boolean} online
   */
  turn(online) {
    if (this.isOnline === online) return false;
    this.isOnline = online;
    document.dispatchEvent(new CustomEvent("midpoint:line", { detail: { state: online ? "" : "offline" } }));
    return true;
  }

  /**
   * @param {string} url
   * @returns {Promise<Answer>}
   */
  async ask(url) {
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
}
