// Which checker of one position became which of the next: those that stay, and the ways of those that moved.

/**
 * @typedef {{ x: number, y: number }} Spot
 */

const NEAR = 1; // units of the drawing: what lies closer has not moved

/** @type {(a: Spot, b: Spot) => number} */
const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/**
 * The ways of one side's checkers from where they lay to where they lie: each as [from, to], the shortest first taken.
 * A checker that has not moved has none, and neither has one that was not there before.
 * @template {Spot} From
 * @template {Spot} To
 * @param {From[]} before
 * @param {To[]} now
 * @returns {[From, To][]}
 */
export const ways = (before, now) => {
  const left = [...before];
  const arrived = now.filter((spot) => {
    const stayed = left.findIndex((each) => distance(each, spot) < NEAR);
    if (stayed >= 0) left.splice(stayed, 1);
    return stayed < 0;
  });
  /** @type {[From, To][]} */
  const found = [];
  while (left.length && arrived.length) {
    let best = [0, 0];
    for (const [from, start] of left.entries()) {
      for (const [to, end] of arrived.entries()) {
        if (distance(start, end) < distance(left[best[0]], arrived[best[1]])) best = [from, to];
      }
    }
    found.push([left.splice(best[0], 1)[0], arrived.splice(best[1], 1)[0]]);
  }
  return found;
};
