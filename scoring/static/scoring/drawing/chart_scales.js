// What a chart's lines are on its axes: columns of values, dates, decimals and a little air. Nothing is drawn here.
// A point is [time in seconds, value, low, high, label, address].

export const [AT, VALUE, LOW, HIGH, LABEL, URL] = [0, 1, 2, 3, 4, 5];

const DAY = 86400;

/** How dates are written on an axis of so many seconds: years, months or days. */
export const dateShape = ({ min, max }) => {
  const span = max - min;
  if (span > 900 * DAY) return { year: "numeric" };
  if (span > 120 * DAY) return { month: "short", year: "2-digit" };
  return { day: "numeric", month: "short" };
};

/** All lines on one axis of times: a line has a value only at its own times. `behind` has the points of each. */
export const columns = (lines) => {
  const times = [...new Set(lines.flatMap((line) => line.points.map((point) => point[AT])))].sort((a, b) => a - b);
  const place = new Map(times.map((at, index) => [at, index]));
  const data = [times];
  const behind = [];
  for (const line of lines) {
    const [high, low, value, points] = [0, 0, 0, 0].map(() => new Array(times.length).fill(null));
    for (const point of line.points) {
      const index = place.get(point[AT]);
      [high[index], low[index], value[index], points[index]] = [point[HIGH], point[LOW], point[VALUE], point];
    }
    data.push(high, low, value);
    behind.push(points);
  }
  return { data, behind };
};

/** The point of the first line that has one at this place of the axis. */
export const nearest = (behind, index) => {
  if (index == null) return null;
  for (const points of behind) if (points[index]) return points[index];
  return null;
};

/** The marks of an axis have as many decimals as the one that needs most of them, and at most so many. */
export const decimalsOf = (splits, most) => Math.max(0, ...splits.map((value) => (String(+value.toFixed(most)).split(".")[1] ?? "").length));

/** What stands at the end of each line: its value, under its name where there are several. */
export const endWords = (lines, write) =>
  lines.map((line) => {
    const value = write(line.points.at(-1)[VALUE]);
    return lines.length > 1 ? [line.label, value] : [value];
  });

/** A little air above and below; a single value stands in the middle. */
export const padded = (low, high, decimals) => {
  const air = Math.max((high - low) * 0.12, decimals ? 0.5 : 10);
  return [low - air, high + air];
};
