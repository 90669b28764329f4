// The parts of a sheet's or a table's page, by their names.

/** @typedef {(name: string) => HTMLElement} Part */

/** @type {(root: HTMLElement) => Part} */
export const partsOf = (root) => (name) => {
  const found = root.querySelector(`[data-part="${name}"]`);
  if (!found) throw new Error(`the page has no part ${name}`);
  return found;
};
