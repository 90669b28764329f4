// The page's sentences come from the server in the reader's language; here the values are put in.

const sentences = JSON.parse(document.getElementById("sheet-words").textContent);

/** The sentence of a name with its %(values)s. */
export const say = (name, values = {}) => {
  const sentence = sentences[name];
  if (sentence === undefined) throw new Error(`no words for ${name}`);
  return sentence.replace(/%\((\w+)\)s/g, (_whole, key) => String(values[key]));
};

/** A new element: properties that begin with "on" are listeners, "class", "data-..." and "aria-..." are attributes. */
export const make = (tag, properties = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
};

/** One of the site's pictures. */
export const icon = (name) => {
  const template = document.getElementById(`icon-${name}`);
  return template.content.firstElementChild.cloneNode(true);
};

/** A key nobody else uses; also where the page is not served over HTTPS. */
export const newKey = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};
