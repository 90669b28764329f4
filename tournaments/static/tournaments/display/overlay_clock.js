// A clock of the overlay between two answers of the server: the delay runs first, then the player's own time.

/**
 * @typedef {{ [name: string]: string | undefined }} Dataset `ms`, `since` and `delay` as the page has them
 */

/**
 * Whole seconds left; `ms` were left at `since` (nothing where it stands), of which `delay` milliseconds are free.
 * @type {(clock: Dataset, now: number) => number}
 */
export const secondsLeft = ({ ms, since, delay }, now) => {
  const used = since ? Math.max(0, now - Date.parse(since) - Number(delay || 0)) : 0;
  return Math.max(0, Math.round((Number(ms) - used) / 1000));
};
