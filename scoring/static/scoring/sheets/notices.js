// What a sheet or a table tells of its line and its entries: each in a message of its own, some with a way on.

import { asSentence, icon, make, noticeWords, say } from "./words.js";

/**
 * @typedef {import("./sync.js").Sync} Sync
 */

/** @type {(level: string, words: string, ...controls: import("./words.js").Child[]) => HTMLElement} */
export const message = (level, words, ...controls) =>
  make("div", { class: `message ${level}` }, make("p", {}, words), ...controls);

/**
 * What other people entered on this device. A code is nobody's name: whoever has it now may answer for what was entered
 * with another one.
 * @type {(sync: Sync, mayAdopt: boolean) => HTMLElement[]}
 */
const ofOthers = (sync, mayAdopt) =>
  sync.kept().map(({ writer, rows }) => {
    const nameless = !writer?.ref.startsWith("login-");
    const adopt =
      nameless && mayAdopt
        ? make(
            "button",
            { type: "button", class: "secondary", "data-adopt": "", onclick: () => sync.adopt(rows) },
            say("adopt"),
          )
        : null;
    const words = say(nameless ? "kept_code" : "kept_login", {
      name: writer?.name ?? "",
      count: rows.length,
    });
    return message("warning", words, adopt);
  });

/**
 * As whom this device enters, and what the server said last.
 * @type {(sync: Sync, may: { adopt: boolean, forget: boolean }) => HTMLElement[]}
 */
export const entryNotices = (sync, may) => {
  const again = () => make("button", { type: "button", onclick: () => location.reload() }, say("load_again"));
  const forget = () =>
    make(
      "button",
      { type: "button", class: "secondary", onclick: () => sync.forget({ all: true }) },
      say("forget_all", { count: sync.queue.length }),
    );
  const found = [];
  if (sync.stranger)
    found.push(
      message("error", say("stranger", { name: sync.writer?.name, count: sync.queue.length }), again()),
    );
  found.push(...ofOthers(sync, may.adopt));
  if (sync.blocked)
    found.push(
      message(
        "error",
        say("blocked", { detail: sync.blocked }),
        may.forget && sync.queue.length ? forget() : null,
      ),
    );
  const { unkept } = sync.waiting;
  if (unkept.length && (!sync.online || sync.isStopped))
    found.push(message("error", say("unkept", { count: unkept.length })));
  if (sync.notice)
    found.push(
      message(
        sync.notice.level ?? "info",
        asSentence(noticeWords(sync.notice)),
        make(
          "button",
          {
            type: "button",
            class: "plain dismiss",
            "aria-label": say("dismiss"),
            onclick: () => sync.dismiss(),
          },
          icon("close"),
        ),
      ),
    );
  return found;
};

/** @type {(sync: Sync, unsent?: string) => HTMLElement[]} that there is no line; `unsent` names the words of what waits */
export const lineNotices = ({ online, queue }, unsent = "offline_unsent") => {
  if (online) return [];
  const count = queue.length;
  return [message("warning", count ? say(unsent, { count }) : say("offline"))];
};

/** @type {(sync: Sync, openRefused: () => void) => HTMLElement[]} what does not fit */
export const refusedNotices = ({ refused }, openRefused) => {
  if (!refused) return [];
  const words = say("refused", { what: refused.row.words, detail: refused.detail });
  const button = make("button", { type: "button", onclick: openRefused }, say("refused_open"));
  return [message("error", words, button)];
};

/** The notices of a page. Those that are there stay: what is told again would be read again. */
export class Notices {
  told = "";

  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
    this.told = words([...host.children]);
  }

  /** @param {HTMLElement[]} found what there is to tell; what is told twice appears once */
  draw(found) {
    const texts = found.map(({ textContent }) => textContent);
    const wanted = found.filter((_notice, n) => texts.indexOf(texts[n]) === n);
    const told = words(wanted);
    if (told === this.told) return;
    this.told = told;
    this.host.replaceChildren(...wanted);
  }
}

/** @type {(found: Element[]) => string} */
const words = (found) => found.map(({ textContent }) => textContent).join("\n");
