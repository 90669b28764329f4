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
  if (element.textContent === words) return;
  const [only, second] = element.childNodes;
  if (only instanceof Text && !second) only.data = words;
  else element.textContent = words;
};

/**
 * Hide a part of the page, or show it. The attribute that is set again would be styled again.
 * @type {(element: HTMLElement, isHidden: boolean) => void}
 */
export const hide = (element, isHidden) => {
  if (element.hidden !== isHidden) element.hidden = isHidden;
};

/** @type {(element: Element, name: string, value: string) => void} */
export const put = (element, name, value) => {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
};
