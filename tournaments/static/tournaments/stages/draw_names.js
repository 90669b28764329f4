// Names and matches of a draw: find one, show its path, go to a match by its address, and enlarge by two fingers.

import { first, found, matchIn, pathOf, pinched } from "./draw_ways.js";

(() => {
  const narrow = window.matchMedia("(max-width: 47.99rem)");
  const MOST = 4; // possible opponents of a later match
  const stage = () => document.getElementById("stage");
  const panel = () => document.getElementById("draw-path");
  /** @type {(text: string) => string} */
  const trimmed = (text) => text.replace(/\s+/g, " ").trim();

  // -- what the page shows, as values

  /** @type {(place: HTMLElement, name: string) => HTMLElement | null} */
  const inside = (place, name) => place.querySelector(name);
  /** @returns {HTMLElement[]} The cards of a draw have whole names; an overview has its sheet alone. */
  const drawn = () => {
    const cards = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#stage .hand li.m")]);
    return cards.length
      ? cards
      : /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#stage .tree .m")]);
  };
  const matches = () =>
    drawn().map((place) => {
      const number = place.id.slice(1);
      return {
        number,
        to: place.dataset.to ?? "",
        loser: place.dataset.loser ?? "",
        open: place.matches(".live, .called, .ready, .waiting, .open"),
        round: trimmed(place.closest(".round")?.querySelector("h3")?.firstChild?.textContent ?? ""),
        sides: [.../** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll(".s"))].map((side) => ({
          entrant: side.dataset.e ?? "",
          name: trimmed((inside(side, "bdi, .nm") ?? side).textContent ?? ""),
          won: side.classList.contains("won"),
          points: trimmed(inside(side, "b, .pt")?.textContent ?? ""),
        })),
      };
    });
  const names = () => {
    /** @type {Map<string, string>} */
    const all = new Map();
    for (const match of matches())
      for (const side of match.sides) if (side.entrant) all.set(side.entrant, side.name);
    return all;
  };

  // -- a match on the screen

  /** @type {(number: string) => HTMLElement | null} The sheet's match, or on a phone its card. */
  const placeOf = (number) => {
    const [sheet, card] = [document.getElementById(`m${number}`), document.getElementById(`c${number}`)];
    return [narrow.matches ? card : sheet, card, sheet].find((each) => each?.getClientRects().length) ?? null;
  };
  /** @type {(number: string, focus?: boolean) => void} */
  const goTo = (number, focus = false) => {
    const place = placeOf(number);
    if (!place) return;
    const round = /** @type {HTMLElement | null} */ (place.closest(".hand .round"));
    if (round && narrow.matches)
      round.parentElement.scrollTo({
        left:
          round.offsetLeft - /** @type {HTMLElement} */ (round.parentElement.firstElementChild).offsetLeft,
        behavior: "instant",
      });
    place.scrollIntoView({ block: "center", inline: round ? "nearest" : "center", behavior: "instant" });
    for (const each of document.querySelectorAll(".m.found")) each.classList.remove("found");
    place.classList.add("found");
    if (focus) (place.matches("a") ? place : inside(place, "a"))?.focus({ preventScroll: true });
  };

  // -- the path of a name

  let shown = "";
  /** @type {(entrant: string) => void} */
  const show = (entrant) => {
    shown = entrant;
    document.dispatchEvent(new CustomEvent("midpoint:name", { detail: { entrant } }));
    const place = panel();
    if (!place) return;
    const steps = entrant ? pathOf(matches(), entrant) : [];
    const name = names().get(entrant);
    place.hidden = !name;
    if (!name) return;
    inside(place, "[data-name]").textContent = name;
    const list = inside(place, "ol");
    list.replaceChildren(...steps.map(line));
    const next = steps.find((step) => step.kind === "next") ?? steps.at(-1);
    const open = /** @type {HTMLAnchorElement} */ (inside(place, "[data-open]"));
    const there = next ? document.getElementById(`c${next.number}`)?.querySelector("a") : null;
    open.hidden = !there;
    if (there) open.href = there.href;
  };
  /** @type {(step: import("./draw_ways.js").Step) => HTMLElement} */
  const line = (step) => {
    const words = panel().dataset;
    const { shown: some, more } = first(step.names, MOST);
    const rest = more ? [words.more.replace("%n", String(more))] : [];
    const language = document.documentElement.lang || "en";
    const list = new Intl.ListFormat(language, { type: "disjunction" });
    const told = { won: words.won, lost: words.lost, next: words.next, later: words.later }[step.kind];
    const item = document.createElement("li");
    item.className = step.kind;
    const round = document.createElement("span");
    round.className = "muted";
    round.textContent = step.round;
    const what = document.createElement("span");
    what.textContent = trimmed(told.replace("%s", step.score).replace("%n", list.format([...some, ...rest])));
    item.append(round, " ", what);
    return item;
  };
  /** @type {(entrant: string, focus?: boolean) => void} Their next match, or the last one. */
  const goToOwn = (entrant, focus = true) => {
    const steps = pathOf(matches(), entrant);
    const step = steps.find((each) => each.kind === "next") ?? steps.at(-1);
    if (step) goTo(step.number, focus);
  };

  // A finger on a name shows its path; the second one on the same name opens the match.
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-close-path]")) {
      show("");
      return;
    }
    const touched = /** @type {PointerEvent} */ (event).pointerType === "touch";
    const name = event.target.closest("#stage :is(.hand, .tree) .s[data-e]");
    if (!touched || !name || !panel() || name.dataset.e === shown) return;
    event.preventDefault();
    show(name.dataset.e);
  });
  // Space on a match goes through its names.
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape" && shown) show("");
    const match = event.target.closest?.("#stage :is(.tree a.m, .hand a.c)");
    if (event.key === " " && match && panel()) {
      event.preventDefault();
      const own = [...match.querySelectorAll(".s[data-e]")].map((side) => side.dataset.e);
      show(["", ...own][(own.indexOf(shown) + 2) % (own.length + 1)] ?? "");
    }
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    const search = /** @type {HTMLInputElement | null} */ (
      document.querySelector("#draw-find, #find-entrant")
    );
    if (event.key === "/" && !typing && search?.getClientRects().length) {
      event.preventDefault();
      search.focus();
      search.select();
    }
  });

  // -- find a name

  document.addEventListener("input", (event) => {
    if (event.target.id !== "draw-find") return;
    const asked = /** @type {HTMLInputElement} */ (event.target).value;
    const hits = found(names(), asked);
    const status = document.getElementById("draw-found");
    status.textContent = asked.trim() && !hits.length ? status.dataset.none.replace("%n", asked.trim()) : "";
    show(hits[0] ?? "");
    if (hits[0]) goToOwn(hits[0], false);
  });
  document.addEventListener("submit", (event) => {
    if (!event.target.matches(".draw-find")) return;
    event.preventDefault();
    if (shown) goToOwn(shown);
  });

  // -- my match

  let own = "";
  const offerOwn = () => {
    const button = /** @type {HTMLElement | null} */ (document.querySelector("[data-my-match]"));
    if (button) button.hidden = !own || !names().has(own);
  };
  document.addEventListener("midpoint:own", (event) => {
    own = event.detail.entrant;
    offerOwn();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-my-match]")) return;
    show(own);
    goToOwn(own);
  });

  // -- the address of a match: #m13

  const follow = () => {
    const number = matchIn(window.location.hash);
    if (!number || !stage()) return;
    if (placeOf(number)) goTo(number, true);
    else if (stage().dataset.cut && !new URLSearchParams(window.location.search).has("match")) {
      const address = new URL(window.location.href);
      address.searchParams.delete("part");
      address.searchParams.set("match", number);
      window.location.replace(address);
    }
  };
  window.addEventListener("hashchange", follow);

  // -- two fingers on a sheet

  /** @type {Map<number, PointerEvent>} */
  const fingers = new Map();
  let began = 0;
  let size = 1;
  const apart = () => {
    const [one, other] = [...fingers.values()];
    return one && other ? Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) : 0;
  };
  document.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch" || !event.target.closest(".bracket .sheet")) return;
    fingers.set(event.pointerId, event);
    if (fingers.size !== 2) return;
    const sheet = event.target.closest(".sheet").querySelector(".tree");
    size = sheet.getBoundingClientRect().width / Number(sheet.getAttribute("viewBox").split(" ")[2]);
    began = apart();
  });
  document.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, event);
    if (fingers.size === 2)
      document.dispatchEvent(
        new CustomEvent("midpoint:size", { detail: { size: pinched(size, began, apart(), 0.3, 1.6) } }),
      );
  });
  for (const kind of /** @type {const} */ (["pointerup", "pointercancel"]))
    document.addEventListener(kind, (event) => fingers.delete(event.pointerId));

  const begin = () => {
    for (const place of document.querySelectorAll(".draw-find")) place.hidden = false;
    offerOwn();
    if (shown) show(shown);
  };
  document.addEventListener("DOMContentLoaded", () => {
    begin();
    follow();
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.elt.id === "stage") begin();
  });
})();
