// Elements of a drawing.

/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes */

const SVG = "http://www.w3.org/2000/svg";

/** @type {<Tag extends keyof SVGElementTagNameMap>(tag: Tag, attributes?: Attributes, ...children: Node[]) => SVGElementTagNameMap[Tag]} */
export const svg = (tag, attributes = {}, ...children) => {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
};

/** @type {(x: number, y: number, words: string, attributes?: Attributes) => SVGElement} */
export const lettering = (x, y, words, attributes = {}) => {
  const element = svg("text", { x, y, dy: "0.36em", "text-anchor": "middle", ...attributes });
  element.textContent = words;
  return element;
};
