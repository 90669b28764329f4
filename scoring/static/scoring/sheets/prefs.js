// How this device shows the sheet. Which side sits below is kept for each match, the rest for all of them.

/**
 * @typedef {object} Prefs
 * @property {"left" | "right"} home
 * @property {string} colours
 * @property {string} hand
 * @property {string} calls
 * @property {"mover" | "fixed"} numbers whose numbers the points have: those of whoever moves, or of the player below
 * @property {"on" | "off"} sound of the clock
 * @property {"auto" | "rolls" | "dice"} dice how a roll is entered: both dice at once, or one after the other
 * @property {Record<string, import("./play.js").Side>} bottom
 * @property {Record<string, string>} depth
 */

const NAME = "midpoint:scoresheet";
/** @type {Prefs} */
const DEFAULTS = {
  home: "right",
  colours: "midpoint",
  hand: "right",
  calls: "",
  dice: "auto",
  sound: "on",
  numbers: "mover",
  bottom: {},
  depth: {},
};

/**
 * What a device has kept. What another version kept in another way is left out.
 * @type {(text: string | null) => Prefs}
 */
export const prefsIn = (text) => {
  const known = new Map(Object.entries(DEFAULTS));
  const fitting = Object.entries(JSON.parse(text ?? "{}") ?? {}).filter(
    ([name, value]) => value !== null && typeof value === typeof known.get(name),
  );
  return { ...DEFAULTS, ...Object.fromEntries(fitting) };
};

/** @type {() => Prefs} */
const read = () => {
  try {
    return prefsIn(localStorage.getItem(NAME));
  } catch {
    return { ...DEFAULTS }; // storage is shut off, or holds something else: the page looks as it does at first
  }
};

export const prefs = read();

/** @type {<Name extends keyof Prefs>(name: Name, value: Prefs[Name]) => void} */
export const prefer = (name, value) => {
  prefs[name] = value;
  try {
    localStorage.setItem(NAME, JSON.stringify(prefs));
  } catch {
    document.documentElement.dataset.prefs = "forgotten";
  }
};
