// What a chart's lines are on its axes: columns of values, dates, decimals and a little air. Nothing is drawn here.
// A point is [time in seconds, value, low, high, label, address].

/**
 * @typedef {[at: number, value: number, low: number, high: number, label: string, url: string]} Point
 */

export const AT = 0;
export const VALUE = 1;
export const LOW = 2;
export const HIGH = 3;
export const LABEL = 4;
export const URL = 5;

const DAY = 86400;

/**
 * The writer of dates for an axis of so many seconds: years, months or days.
 * @param {{ min: number, max: number }} axis
 * @returns {"year" | "yearMonth" | "monthDay"}
 */
export const dateShape = ({ min, max }) => {
  const span = max - min;
  if (span > 900 * DAY) return "year";
  return span > 120 * DAY ? "yearMonth" : "monthDay";
};

/**
 * The words of an axis, each once: a mark with the word of the one before it has none.
 * @type {(words: string[]) => string[]}
 */
export const axisWords = (words) => words.map((word, index) => (word === words[index - 1] ? "" : word));

/**
 * All lines on one axis of times: a line has a value only at its own times. `behind` has the points of each.
 * @type {(lines: { points: Point[] }[]) => { data: (number | null)[][], behind: (Point | null)[][] }}
 */
export const columns = (lines) => {
  const times = [...new Set(lines.flatMap((line) => line.points.map((point) => point[AT])))].sort(
    (a, b) => a - b,
  );
  const place = new Map(times.map((at, index) => [at, index]));
  /** @type {(number | null)[][]} */
  const data = [times];
  const behind = [];
  for (const line of lines) {
    const [high, low, value] = [0, 0, 0].map(
      () => /** @type {(number | null)[]} */ (Array(times.length).fill(null)),
    );
    const points = /** @type {(Point | null)[]} */ (Array(times.length).fill(null));
    for (const point of line.points) {
      const index = place.get(point[AT]) ?? -1;
      [high[index], low[index], value[index], points[index]] = [point[HIGH], point[LOW], point[VALUE], point];
    }
    data.push(high, low, value);
    behind.push(points);
  }
  return { data, behind };
};

/**
 * The point of the first line that has one at this place of the axis.
 * @type {(behind: (Point | null)[][], index: number | null | undefined) => Point | null}
 */
export const nearest = (behind, index) => {
  if (index == null) return null;
  for (const points of behind) if (points[index]) return points[index];
  return null;
};

/**
 * The marks of an axis have as many decimals as the one that needs most of them, and at most so many.
 * @type {(splits: number[], most: number) => number}
 */
export const decimalsOf = (splits, most) =>
  Math.max(0, ...splits.map((value) => (String(+value.toFixed(most)).split(".")[1] ?? "").length));

/**
 * What stands at the end of each line: its value, under its name where there are several.
 * @type {(lines: { label?: string, points: Point[] }[], write: (value: number) => string) => string[][]}
 */
export const endWords = (lines, write) =>
  lines.map((line) => {
    const last = line.points.at(-1);
    const value = last ? write(last[VALUE]) : "";
    return lines.length > 1 ? [line.label ?? "", value] : [value];
  });

/**
 * A little air above and below; a single value stands in the middle.
 * @type {(low: number, high: number, decimals: number) => [low: number, high: number]}
 */
export const padded = (low, high, decimals) => {
  const air = Math.max((high - low) * 0.12, decimals ? 0.5 : 10);
  return [low - air, high + air];
};
