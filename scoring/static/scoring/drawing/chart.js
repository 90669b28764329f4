// Draws every <figure data-chart> from its JSON. The table beside it holds the same values without this script.

import { formats } from "../../clubs/formats.js";
import {
  AT,
  axisWords,
  columns,
  dateShape,
  decimalsOf,
  endWords,
  LABEL,
  nearest,
  padded,
  URL,
  VALUE,
} from "./chart_scales.js";

/**
 * @typedef {import("./chart_scales.js").Point} Point
 */

/** @type {(name: string) => string} */
const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const STROKES = ["felt", "oxblood", "brass", "stone"];
const DASHES = [[], [6, 4], [2, 3], [10, 4, 2, 4]]; // lines are told apart without colour, too

/** @type {(plot: uPlot, splits: number[]) => string[]} */
const axisDates = (plot, splits) => {
  const write = formats()[dateShape(plot.scales.x)];
  return axisWords(splits.map((at) => write(at * 1000)));
};

/** @type {(figure: HTMLElement) => uPlot | null} */
const draw = (figure) => {
  const given = JSON.parse(document.getElementById(figure.dataset.chart).textContent);
  /** @type {number} */
  const decimals = given.decimals;
  /** @type {{ label: string, points: Point[] }[]} */
  const all = given.lines;
  const lines = all.filter((line) => line.points.length);
  const place = figure.querySelector(".plot");
  const readout = figure.querySelector(".readout");
  /** @type {(value: number) => string} */
  const write = (value) => formats().number(value, decimals);
  /** @type {(plot: uPlot, splits: number[]) => string[]} */
  const marks = (_, splits) => {
    const places = decimalsOf(splits, decimals);
    return splits.map((value) => formats().number(value, places));
  };
  if (!lines.length) return null;
  const { data, behind } = columns(lines);
  const font = `13px ${getComputedStyle(document.body).fontFamily}`;
  const context = document.createElement("canvas").getContext("2d");
  context.font = font;
  const endWidth =
    Math.max(
      ...endWords(lines, write)
        .flat()
        .map((word) => context.measureText(word).width),
    ) + 16;
  /** @type {Point | null} */
  let shown = null;

  /** @type {(point: Point | null) => void} */
  const say = (point) => {
    if (!point || point === shown) return;
    shown = point;
    const value = document.createElement("strong");
    value.textContent = write(point[VALUE]);
    const when = document.createElement("span");
    when.textContent = formats().day(point[AT] * 1000);
    const what = document.createElement(point[URL] ? "a" : "span");
    what.textContent = point[LABEL];
    if (point[URL]) what.setAttribute("href", point[URL]);
    readout.replaceChildren(value, when, what);
  };

  /** @type {(plot: uPlot) => void} */
  const labels = (plot) => {
    const { ctx } = plot;
    ctx.save();
    ctx.font = font.replace("13px", `${13 * devicePixelRatio}px`);
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    endWords(lines, write).forEach((words, number) => {
      const last = lines[number].points.at(-1);
      ctx.fillStyle = token(STROKES[number % STROKES.length]);
      const x = plot.valToPos(last[AT], "x", true) + 8 * devicePixelRatio;
      const y = plot.valToPos(last[VALUE], "y", true);
      words.forEach((word, row) => {
        ctx.fillText(word, x, y + (row - (words.length - 1) / 2) * 15 * devicePixelRatio);
      });
    });
    ctx.restore();
  };

  /** @type {object[]} */
  const series = [{}];
  /** @type {object[]} */
  const bands = [];
  lines.forEach((line, number) => {
    const stroke = token(STROKES[number % STROKES.length]);
    const quiet = { stroke: "transparent", width: 0, points: { show: false }, spanGaps: true };
    bands.push({ series: [series.length, series.length + 1], fill: `${stroke}26` });
    series.push(quiet, quiet, {
      stroke,
      width: 1.75,
      dash: DASHES[number % DASHES.length],
      spanGaps: true,
      points: { show: line.points.length <= 60, size: 6, fill: token("paper"), stroke, width: 1.5 },
    });
  });
  const axis = {
    stroke: token("stone"),
    font,
    grid: { stroke: token("linen"), width: 1 },
    ticks: { show: false },
  };

  const plot = new uPlot(
    {
      width: place.clientWidth,
      height: place.clientHeight,
      padding: [12, endWidth, 0, 0],
      series,
      bands,
      scales: {
        y: {
          range: (/** @type {uPlot} */ _, /** @type {number} */ low, /** @type {number} */ high) =>
            padded(low, high, decimals),
        },
      },
      axes: [
        { ...axis, grid: { show: false }, values: axisDates, space: 72 },
        { ...axis, size: 52, values: marks },
      ],
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, y: false, points: { size: 10, fill: token("brass-fill") } },
      hooks: {
        draw: [labels],
        setCursor: [(/** @type {uPlot} */ self) => say(nearest(behind, self.cursor.idx))],
      },
    },
    data,
    place,
  );
  say(lines[0].points.at(-1));
  // A mouse has read the words before it clicks; a finger's first tap is the reading.
  plot.over.addEventListener("pointerup", (event) => {
    if (event.pointerType === "mouse" && shown?.[URL]) window.location.assign(shown[URL]);
  });
  return plot;
};

/** @type {Map<HTMLElement, uPlot | null>} */
const plots = new Map();
/** @type {(figure: HTMLElement) => void} */
const redraw = (figure) => {
  plots.get(figure)?.destroy();
  plots.set(figure, draw(figure));
};
const sizes = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const plot = plots.get(target.closest("figure"));
    if (plot && target.clientWidth && plot.width !== target.clientWidth) {
      plot.setSize({ width: target.clientWidth, height: target.clientHeight });
    }
  }
});
const start = () => {
  for (const figure of document.querySelectorAll("figure[data-chart]")) {
    if (plots.has(figure)) continue;
    redraw(figure);
    sizes.observe(figure.querySelector(".plot"));
  }
};
const redrawAll = () => {
  for (const figure of [...plots.keys()]) {
    if (figure.isConnected) redraw(figure);
    else plots.delete(figure);
  }
};

document.addEventListener("DOMContentLoaded", start);
document.addEventListener("htmx:afterSettle", start);
document.addEventListener("midpoint:appearance", redrawAll);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
