// The page's sentences come from the server in the reader's language; here the values are put in.

/**
 * @typedef {Node | string | null | undefined | false} Child what is left out is nothing
 */

/** @type {Record<string, string>} */
const sentences = JSON.parse(document.getElementById("sheet-words")?.textContent ?? "{}");

/**
 * The sentence of a name with its %(values)s.
 * @type {(name: string, values?: Record<string, unknown>) => string}
 */
export const say = (name, values = {}) => {
  const sentence = sentences[name];
  if (sentence === undefined) throw new Error(`no words for ${name}`);
  return sentence.replace(/%\((\w+)\)s/g, (_whole, key) => String(values[key]));
};

/**
 * What is told of an entry or a question that was not taken, in the server's words or by the name of a sentence.
 * @type {(notice: import("./sync.js").Notice | null) => string}
 */
export const noticeWords = (notice) => notice?.words ?? (notice?.name ? say(notice.name, notice.values) : "");

/**
 * A refusal of the rules as a sentence of its own: "no checker was moved" -> "No checker was moved."
 * @type {(words: string) => string}
 */
export const asSentence = (words) =>
  words.charAt(0).toLocaleUpperCase(document.documentElement.lang || "en") +
  words.slice(1) +
  (/[.!?…]$/.test(words) ? "" : ".");

/**
 * A new element: properties that begin with "on" are listeners, "class", "data-..." and "aria-..." are attributes.
 * @type {<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, properties?: Record<string, any>, ...children: Child[]) =>
 *   HTMLElementTagNameMap[Tag]}
 */
export const make = (tag, properties = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children)
    if (child !== null && child !== undefined && child !== false) element.append(child);
  return element;
};

/**
 * One of the site's pictures.
 * @type {(name: string) => Node}
 */
export const icon = (name) => {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById(`icon-${name}`));
  return /** @type {Element} */ (template.content.firstElementChild).cloneNode(true);
};

/** A key nobody else uses; also where the page is not served over HTTPS. */
export const newKey = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};
