// A part of the page is drawn again under a finger: elements that stay what they are stay in their place.

/** @type {(one: Node, other: Node) => boolean} */
const isAlike = (one, other) => one.nodeName === other.nodeName && doesOf(one) === doesOf(other);

/** @type {(node: Node) => string | undefined} */
const doesOf = (node) => (node instanceof Element ? (node.getAttribute("data-does") ?? "") : undefined);

/** @type {(node: Node, wanted: Node) => void} */
const become = (node, wanted) => {
  if (!(node instanceof Element) || !(wanted instanceof Element)) {
    if (node.nodeValue !== wanted.nodeValue) node.nodeValue = wanted.nodeValue;
    return;
  }
  for (const name of node.getAttributeNames()) if (!wanted.hasAttribute(name)) node.removeAttribute(name);
  for (const name of wanted.getAttributeNames()) {
    const value = wanted.getAttribute(name) ?? "";
    if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  }
  morph(node, [...wanted.childNodes]);
};

/**
 * Give an element these children, changing those that are there as little as that needs.
 * @type {(host: Element, wanted: Node[]) => void}
 */
export const morph = (host, wanted) => {
  const present = [...host.childNodes];
  for (const [n, node] of wanted.entries()) {
    const old = present[n];
    if (!old) host.append(node);
    else if (isAlike(old, node)) become(old, node);
    else old.replaceWith(node);
  }
  for (const old of present.slice(wanted.length)) old.remove();
};
