// The script of every page. Pages work without it; it saves round trips and shows the connection state.
"use strict";

(() => {
  const root = document.documentElement;
  const { during, opening } = window.midpoint;

  // Appearance: applied at once and sent in the background.
  /** @type {(form: HTMLFormElement, chosen: string) => void} */
  const applyAppearance = (form, chosen) => {
    if (chosen === "system") root.removeAttribute("data-theme");
    else root.dataset.theme = chosen;
    for (const button of form.querySelectorAll("button[name=appearance]")) {
      button.setAttribute("aria-pressed", String(button.value === chosen));
    }
    document.dispatchEvent(new CustomEvent("midpoint:appearance", { detail: { theme: chosen } }));
  };

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form.appearance");
    const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
    if (!form || !button) return;
    event.preventDefault();
    const body = new FormData(form, button);
    applyAppearance(form, button.value);
    during(fetch(form.action, { method: "POST", body, keepalive: true })).catch(() => setLine("offline"));
  });

  // Scroll the current tab to the centre of a row that overflows.
  const showChosenTab = () => {
    for (const tab of document.querySelectorAll("nav.tabs > [aria-current]")) {
      const row = tab.parentElement;
      const [one, all] = [tab.getBoundingClientRect(), row.getBoundingClientRect()];
      row.scrollLeft += one.left - all.left - (all.width - one.width) / 2;
    }
  };
  showChosenTab();
  document.addEventListener("htmx:afterSettle", showChosenTab);

  // A toast disappears after a while, unless it is hovered or focused.
  const STAYS = 10000;
  /** @type {(toast: HTMLElement) => void} */
  const letGo = (toast) => {
    setTimeout(() => (toast.matches(":hover, :focus-within") ? letGo(toast) : toast.remove()), STAYS);
  };
  for (const toast of document.querySelectorAll(".toast:not(.sample)")) letGo(toast);
  document.addEventListener("midpoint:toast", (event) => letGo(/** @type {HTMLElement} */ (event.target)));

  // Highlight a figure changed by a live part.
  /** @type {Map<string, string | undefined>} */
  const shown = new Map();
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.requestConfig.triggeringEvent?.type !== "live") return;
    for (const figure of detail.target.querySelectorAll("[id][data-value]"))
      shown.set(figure.id, figure.dataset.value);
  });
  document.addEventListener("htmx:afterSettle", () => {
    for (const [id, value] of shown) {
      const figure = document.getElementById(id);
      if (figure && figure.dataset.value !== value) figure.classList.add("changed");
    }
    shown.clear();
  });

  // Connection: a live page reports "live"; the browser and every request report "offline".
  /** @type {(state: string) => void} */
  const setLine = (state) => {
    if (state) root.dataset.line = state;
    else delete root.dataset.line;
  };
  window.addEventListener("offline", () => setLine("offline"));
  window.addEventListener("online", () => setLine(""));
  document.addEventListener("midpoint:line", (event) => setLine(event.detail.state));
  document.addEventListener("midpoint:unsent", (event) => {
    const { count } = event.detail;
    if (count) root.dataset.unsent = String(count);
    else delete root.dataset.unsent;
    for (const place of document.querySelectorAll("[data-unsent-count]")) place.textContent = String(count);
  });
  document.addEventListener("htmx:sendError", () => setLine("offline"));
  document.addEventListener("htmx:afterOnLoad", () => {
    if (root.dataset.line === "offline") setLine("");
  });
  if (!navigator.onLine) setLine("offline");

  // Live parts: <section data-live="/live/REF?since=7" hx-get="..." hx-trigger="live">. All parts of an address share
  // one stream; a version newer than the part's makes it reload itself.
  const streams = new Map();
  const newest = new Map();
  const liveParts = () => [...document.querySelectorAll("[data-live]")];
  /** @type {(part: HTMLElement) => string} */
  const addressOf = (part) => part.dataset.live.split("?")[0];
  // The part is reloaded by htmx or redrawn by its script: pages without htmx get the event, too.
  /** @type {(part: HTMLElement) => boolean} */
  const wake = (part) => part.dispatchEvent(new CustomEvent("live", { bubbles: true, cancelable: true }));
  /** @type {(address: string, version: number) => void} */
  const tell = (address, version) => {
    for (const part of liveParts()) {
      if (addressOf(part) !== address || Number(part.dataset.liveVersion || 0) >= version) continue;
      // A part reloaded by htmx gets its version with the request: just inserted, it does not listen before it has
      // settled, and gets the event again then.
      if (!part.hasAttribute("hx-get")) part.dataset.liveVersion = String(version);
      wake(part);
    }
  };
  document.addEventListener("htmx:beforeRequest", ({ detail: { elt: part } }) => {
    const version = part.dataset.live && newest.get(addressOf(part));
    if (version) part.dataset.liveVersion = String(version);
  });
  // Replace nothing under a finger until it is lifted: the tap would be lost.
  /** @type {HTMLElement | null} */
  let touched = null;
  /** @type {Set<HTMLElement>} */
  const held = new Set();
  const release = () => {
    touched = null;
    for (const part of held) if (part.isConnected) wake(part);
    held.clear();
  };
  document.addEventListener("pointerdown", ({ target }) => {
    touched = target;
  });
  for (const name of ["pointerup", "pointercancel"])
    document.addEventListener(name, () => setTimeout(release));
  document.addEventListener("pointermove", ({ buttons }) => {
    if (touched && !buttons) release(); // it was lifted outside the window
  });
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (!touched || detail.requestConfig.triggeringEvent?.type !== "live" || !detail.target.contains(touched))
      return;
    detail.shouldSwap = false;
    held.add(detail.requestConfig.elt);
  });
  // If a proxy blocks streams, poll the version (304 while unchanged).
  const OPENS_WITHIN = 8000;
  const ASKS_EVERY = 15000;
  const asking = new Map();
  /** @type {(address: string) => void} */
  const stopAsking = (address) => {
    clearInterval(asking.get(address));
    asking.delete(address);
  };
  /** @type {(address: string) => Promise<void>} */
  const ask = async (address) => {
    try {
      const answer = await during(
        fetch(address, { headers: { Accept: "application/json" }, cache: "no-cache" }),
      );
      if (answer.status === 404) stopAsking(address); // it is gone, or the session ended: the page stays as it is
      if (!answer.ok) return;
      const { version } = await during(answer.json());
      newest.set(address, version);
      tell(address, version);
    } catch {
      setLine("offline");
    }
  };
  /** @type {(address: string) => void} */
  const keepAsking = (address) => {
    if (asking.has(address)) return;
    asking.set(address, setInterval(ask, ASKS_EVERY, address));
    ask(address);
  };
  const listen = () => {
    const wanted = new Map(liveParts().map((part) => [addressOf(part), part.dataset.live]));
    for (const [address, stream] of streams) {
      if (wanted.has(address)) continue;
      stream.close();
      streams.delete(address);
      stopAsking(address);
      newest.delete(address);
    }
    if (!wanted.size && root.dataset.line === "live") setLine("");
    for (const [address, full] of wanted) {
      // News during a request: its response may already be outdated.
      if (newest.has(address)) tell(address, newest.get(address));
      if (streams.has(address)) continue;
      const stream = opening(new EventSource(full));
      const patience = setTimeout(keepAsking, OPENS_WITHIN, address);
      stream.addEventListener("open", () => {
        clearTimeout(patience);
        stopAsking(address);
        setLine("live");
      });
      stream.addEventListener("version", (event) => {
        newest.set(address, Number(event.data));
        tell(address, Number(event.data));
      });
      stream.addEventListener("error", () => {
        setLine(navigator.onLine ? "" : "offline");
        // Refused for good: by the server, which then refuses polling too, or by a proxy.
        if (stream.readyState !== EventSource.CLOSED) return;
        clearTimeout(patience);
        keepAsking(address);
      });
      streams.set(address, stream);
    }
  };
  document.addEventListener("DOMContentLoaded", listen);
  document.addEventListener("htmx:afterSettle", listen);
  window.addEventListener("pagehide", () => {
    for (const stream of streams.values()) stream.close();
    for (const address of asking.keys()) stopAsking(address);
    streams.clear();
  });
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) listen();
  });

  // Show a refused request with the message in the page's template.
  /** @type {(id: string) => void} */
  const say = (id) => {
    const words = /** @type {HTMLTemplateElement | null} */ (document.getElementById(id));
    const place = document.querySelector(".messages");
    if (!words || !place || place.querySelector(`[data-words="${id}"]`)) return;
    place.append(words.content.cloneNode(true));
    const said = /** @type {HTMLElement} */ (place.lastElementChild);
    said.dataset.words = id;
    said.scrollIntoView({ block: "nearest" });
  };
  const reachable = () => document.querySelector('.messages [data-words="words-unreachable"]')?.remove();
  // Offline, a submitted form would end on the browser's error page and lose its input; scripts that store entries
  // have handled theirs before. `navigator.onLine` proves little: a router can be offline itself, a connection can
  // have dropped just now, and without any network the server can be on this machine. So ask the server first.
  const ANSWERS_WITHIN = 10000;
  const SEEMS_LONG = 400;
  const asked = new WeakSet();
  /** @type {HTMLFormElement | null} */
  let reached = null;
  /** @type {(form: HTMLFormElement, button: HTMLElement | null) => Promise<void>} */
  const send = async (form, button) => {
    asked.add(form);
    const busy = setTimeout(() => button?.setAttribute("aria-busy", "true"), SEEMS_LONG);
    try {
      await during(fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout?.(ANSWERS_WITHIN) }));
    } catch {
      form.closest("dialog")?.close(); // what is said stands behind it
      say("words-unreachable");
      return;
    } finally {
      clearTimeout(busy);
      button?.removeAttribute("aria-busy");
      asked.delete(form);
    }
    reachable();
    if (!form.isConnected) {
      form.hidden = true; // a live part was drawn anew meanwhile: what was tapped is sent all the same
      document.body.append(form);
    }
    reached = form;
    form.requestSubmit(button);
    reached = null;
  };
  window.addEventListener("submit", (event) => {
    const { target: form, submitter: button } = event;
    if (event.defaultPrevented || form === reached || form.method !== "post") return;
    event.preventDefault();
    if (!asked.has(form)) send(form, button);
  });
  window.addEventListener("online", reachable);
  document.addEventListener("htmx:responseError", () => say("words-refused"));
  document.addEventListener("htmx:sendError", () => say("words-unreachable"));

  // Copy the text of another element. Over plain HTTP browsers copy only a selection.
  /** @type {(button: HTMLElement) => Promise<void>} */
  const copy = async (button) => {
    const source = document.getElementById(button.dataset.copies);
    if (navigator.clipboard) await navigator.clipboard.writeText(source.textContent);
    else {
      window.getSelection().selectAllChildren(source);
      document.execCommand("copy");
    }
    button.textContent = button.dataset.copied;
  };

  document.addEventListener("click", (event) => {
    const copies = event.target.closest("[data-copies]");
    if (copies) copy(copies);
    const opener = event.target.closest("[data-opens]");
    if (opener) {
      /** @type {HTMLDialogElement | null} */ (document.getElementById(opener.dataset.opens))?.showModal();
      return;
    }
    event.target.closest("[data-dismiss]")?.closest(".message")?.remove();
  });

  // A fold that the reader opened stays open when its part is replaced.
  /** @type {Set<string>} */
  const unfolded = new Set();
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    for (const fold of detail.target.querySelectorAll("details[data-fold][open]"))
      unfolded.add(fold.dataset.fold);
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const fold of document.querySelectorAll("details[data-fold]"))
      if (unfolded.has(fold.dataset.fold)) fold.open = true;
    unfolded.clear();
  });

  // Move the focus to the errors of a refused form.
  /** @type {(part: ParentNode) => void} */
  const showRefused = (part) => {
    /** @type {HTMLElement | null} */
    const refused =
      part.querySelector(".error-summary:not([data-sample] *)") ??
      part.querySelector('[aria-invalid="true"]:not([data-sample] *)');
    if (!refused) return;
    for (let fold = refused.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null)
      fold.open = true;
    refused.focus();
  };
  showRefused(document.querySelector("main"));
  document.addEventListener("htmx:afterSwap", (event) => showRefused(event.detail.elt));
})();
