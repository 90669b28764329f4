// The sheet or the table as the server told it last: which of two views is the newer, and what an answer changes of one.

/**
 * @typedef {object} Line what the server tells of an event
 * @property {number} seq
 * @property {string} kind
 * @property {any} body
 * @property {string} words
 * @property {boolean} [undone]
 * @property {number | null} [replaces]
 */

/**
 * The same text for the same value, in whichever order its keys are.
 * @type {(value: any) => string}
 */
export const canonical = (value) => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value && typeof value === "object") {
    const pairs = Object.keys(value)
      .sort()
      .map((key) => `${key}:${canonical(value[key])}`);
    return `{${pairs.join(",")}}`;
  }
  return JSON.stringify(value);
};

/**
 * The view, noting when this device saw it: a running clock is counted on from there, whatever time the device has.
 * @type {(view: any) => any}
 */
export const seen = (view) => {
  if (view.clock) view.clock.seen ??= Date.now(); // what was told before runs on from then
  return view;
};

/**
 * What there is to see of a view: the time at which it was told is no news.
 * @type {(view: any) => string}
 */
export const told = (view) =>
  canonical({ ...view, clock: view.clock && { ...view.clock, now: "", seen: 0 } });

/** @type {(view: any, other: any) => boolean} */
export const isOlder = (view, other) =>
  view.seq < other.seq || (view.seq === other.seq && view.version < other.version);

/**
 * The view that an answer comes to: the answer itself, or what it changes of `view`; null where it follows another one.
 * @type {(view: any, data: any) => any}
 */
export const continued = (view, data) => {
  if (data.follows === undefined) return data;
  const news = (data.lines ?? data.theirs).filter((/** @type {Line} */ line) => line.seq > view.seq);
  if (data.follows !== view.version || view.seq + news.length !== data.seq) return null;
  const lines = [...view.lines, ...news];
  return {
    ...view,
    ...data.changes,
    seq: data.seq,
    version: data.version,
    lines: lines.slice(-data.keep),
    earlier: lines.length > data.keep ? data.earlier : view.earlier,
  };
};
