// Changes of a position by taps, on its XGID alone: what is drawn comes from the server, by the new address.

/** @typedef {"white" | "black" | "none"} Put which side's checkers a tap adds; none removes */

const BAR = 25;
const MOST = 15;
const [A, a] = ["A".charCodeAt(0), "a".charCodeAt(0)];

/** @param {string} mark @returns {number} the checkers that a character stands for */
const count = (mark) =>
  mark === "-" ? 0 : mark >= "a" ? mark.charCodeAt(0) - a + 1 : mark.charCodeAt(0) - A + 1;

/** @param {string} mark @returns {"white" | "black" | ""} whose they are */
const owner = (mark) => (mark === "-" ? "" : mark >= "a" ? "black" : "white");

/** @param {"white" | "black"} side @param {number} number @returns {string} */
const written = (side, number) =>
  number === 0 ? "-" : String.fromCharCode((side === "white" ? A : a) + number - 1);

/**
 * The XGID after a tap on a point, in the numbering of the side on roll (25 the bar), as the board has it.
 *
 * @param {string} xgid
 * @param {Put} put
 * @param {number} point
 * @returns {{ xgid: string, refused?: "full" | "held" }} the same XGID where the tap changes nothing
 */
export const tapped = (xgid, put, point) => {
  const fields = xgid.split(":");
  const marks = [...fields[0]];
  const whiteOnRoll = fields[3] === "1";
  if (point < 1 || point > BAR) return { xgid };
  const after = () => ({ xgid: [marks.join(""), ...fields.slice(1)].join(":") });
  if (put === "none") {
    let place = whiteOnRoll ? point : BAR - point;
    if (point === BAR) place = marks[BAR] === "-" ? 0 : BAR;
    const side = owner(marks[place]);
    if (!side) return { xgid };
    marks[place] = written(side, count(marks[place]) - 1);
    return after();
  }
  const place = point === BAR ? (put === "white" ? BAR : 0) : whiteOnRoll ? point : BAR - point;
  const there = owner(marks[place]);
  if (there && there !== put) return { xgid, refused: "held" };
  const placed = marks.reduce((sum, mark) => sum + (owner(mark) === put ? count(mark) : 0), 0);
  if (placed >= MOST) return { xgid, refused: "full" };
  marks[place] = written(put, count(marks[place]) + 1);
  return after();
};
