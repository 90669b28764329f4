// The room that is left for the board: long names and sentences make the score and the dock higher than they usually are.
// It runs by itself, before the page is first shown: a board that changed then would be seen to move.

/**
 * Tell the styles how high these parts of the page are, as --<name>-told. They stay at their highest until the window has
 * another width: a board that changed with each turn would move under the finger.
 * @type {(root: HTMLElement, parts: Record<string, HTMLElement>) => void}
 */
const tellRoom = (root, parts) => {
  let width = window.innerWidth;
  /** @type {Record<string, number>} */
  let highest = {};
  const measure = () => {
    if (width !== window.innerWidth) highest = {};
    width = window.innerWidth;
    for (const [name, part] of Object.entries(parts)) {
      highest[name] = Math.max(highest[name] ?? 0, part.getBoundingClientRect().height);
      root.style.setProperty(`--${name}-told`, `${highest[name]}px`);
    }
  };
  const observer = new ResizeObserver(measure);
  for (const part of Object.values(parts)) observer.observe(part);
};

/** @type {(selector: string) => HTMLElement} */
const place = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));

tellRoom(place("#sheet"), { score: place(".scorebar, .tablebar"), dock: place(".dock") });
