// The order of the rows of a sorted table, by the words of one column.

/** @type {(text: string) => number} The first number of a text; "1,5" and "1.5" are the same, "3–4" is 3. */
const numberIn = (text) => Number.parseFloat(/\d+(?:[.,]\d+)?/.exec(text)?.[0].replace(",", ".") ?? "");

/**
 * The rows by number if all of them that say anything begin with one, else by words; empty ones last. Rows that are
 * alike keep their order.
 * @type {(texts: string[], down: boolean, language?: string) => number[]}
 */
export const rowOrder = (texts, down, language = "en") => {
  const words = new Intl.Collator(language, { numeric: true, sensitivity: "base" });
  const empty = (/** @type {string} */ text) => text === "" || text === "–";
  const numeric = texts.every((text) => empty(text) || /^\d/.test(text));
  const sign = down ? -1 : 1;
  return texts
    .map((_text, n) => n)
    .sort((one, other) => {
      const [a, b] = [texts[one], texts[other]];
      if (empty(a) || empty(b)) return Number(empty(a)) - Number(empty(b)) || one - other;
      const order = numeric ? numberIn(a) - numberIn(b) : words.compare(a, b);
      return sign * order || one - other;
    });
};
