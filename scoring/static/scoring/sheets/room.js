// The room that is left for the board: long names, sentences and notices make what is above and below it higher than usual.
// It runs by itself, before the page is first shown: a board that changed then would be seen to move.

/**
 * Tell the styles how high these parts of the page are, as --<name>-told. They stay as high as they have been with what
 * they hold (data-holds) until the window has another width: a board that changed with each entry would move under the
 * finger.
 * @type {(root: HTMLElement, parts: Record<string, HTMLElement>) => void}
 */
const tellRoom = (root, parts) => {
  let width = window.innerWidth;
  /** @type {Record<string, number>} */
  let highest = {};
  const measure = () => {
    if (width !== window.innerWidth) {
      highest = {};
      for (const name of Object.keys(parts)) root.style.removeProperty(`--${name}-told`);
    }
    width = window.innerWidth;
    for (const [name, part] of Object.entries(parts)) {
      const held = `${name} ${part.dataset.holds ?? ""}`;
      highest[held] = Math.max(part.getBoundingClientRect().height, highest[held] ?? 0);
      const told = `${highest[held]}px`;
      if (root.style.getPropertyValue(`--${name}-told`) !== told)
        root.style.setProperty(`--${name}-told`, told);
    }
  };
  const observer = new ResizeObserver(measure);
  for (const part of Object.values(parts)) observer.observe(part);
};

/**
 * Tell the board as --above-told how much is above it in its column: notices come and go, and it makes room.
 * @type {(board: HTMLElement) => void}
 */
const tellAbove = (board) => {
  const column = /** @type {HTMLElement} */ (board.parentElement);
  const measure = () => {
    if (board.hidden) return;
    const above = board.getBoundingClientRect().top - column.getBoundingClientRect().top;
    board.style.setProperty("--above-told", `${above}px`);
  };
  const observer = new ResizeObserver(measure);
  for (const part of column.children) if (part !== board) observer.observe(part);
};

/** @type {(selector: string) => HTMLElement | null} */
const place = (selector) => document.querySelector(selector);

const root = /** @type {HTMLElement} */ (place("#sheet"));
const board = place("#sheet [data-part=board]");
tellRoom(root, {
  score: /** @type {HTMLElement} */ (place(".scorebar, .tablebar")),
  dock: /** @type {HTMLElement} */ (place(".dock")),
});
if (board) tellAbove(board);
