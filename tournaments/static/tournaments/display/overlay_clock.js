// Time of an overlay clock between updates: first the delay runs, then the reserve.

/**
 * @typedef {{ [name: string]: string | undefined }} Dataset `ms`, `since` and `delay` of the page
 */

/**
 * Whole seconds left; `ms` were left at `since` (none if stopped), after a free `delay` in milliseconds.
 * @type {(clock: Dataset, now: number) => number}
 */
export const secondsLeft = ({ ms, since, delay }, now) => {
  const used = since ? Math.max(0, now - Date.parse(since) - Number(delay || 0)) : 0;
  return Math.max(0, Math.round((Number(ms) - used) / 1000));
};
