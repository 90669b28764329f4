// The parts of a sheet's or a table's page, by their names.

/** @typedef {(name: string) => HTMLElement} Part */

/** @type {(root: HTMLElement) => Part} */
export const partsOf = (root) => (name) => {
  const found = root.querySelector(`[data-part="${name}"]`);
  if (!found) throw new Error(`the page has no part ${name}`);
  return found;
};

/**
 * Put words on the page, unless they are there: the same words put again would be laid out again.
 * @type {(element: Element, words: string) => void}
 */
export const tell = (element, words) => {
  if (element.textContent !== words) element.textContent = words;
};
