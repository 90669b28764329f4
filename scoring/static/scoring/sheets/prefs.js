// How this device shows the sheet. Which side sits below is kept for each match, the rest for all of them.

const NAME = "midpoint:scoresheet";
const DEFAULTS = { home: "right", colours: "midpoint", hand: "right", calls: "", bottom: {}, depth: {} };

const read = () => {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(NAME) ?? "{}") };
  } catch {
    return { ...DEFAULTS }; // storage is shut off, or holds something else: the page looks as it does at first
  }
};

export const prefs = read();

export const prefer = (name, value) => {
  prefs[name] = value;
  try {
    localStorage.setItem(NAME, JSON.stringify(prefs));
  } catch {
    document.documentElement.dataset.prefs = "forgotten";
  }
};
