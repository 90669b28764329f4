// Draws every <figure data-chart> from its JSON. The table beside it holds the same values without this script.
"use strict";

(() => {
  const [AT, VALUE, LOW, HIGH, LABEL, URL] = [0, 1, 2, 3, 4, 5];
  const DAY = 86400;
  const locale = document.documentElement.lang || "en";
  const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const STROKES = ["felt", "oxblood", "brass", "stone"];
  const DASHES = [[], [6, 4], [2, 3], [10, 4, 2, 4]]; // lines are told apart without colour, too

  const numbers = (decimals) =>
    new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });

  const axisDates = (plot, splits) => {
    const { min, max } = plot.scales.x;
    const span = max - min;
    const shape =
      span > 900 * DAY ? { year: "numeric" }
      : span > 120 * DAY ? { month: "short", year: "2-digit" }
      : { day: "numeric", month: "short" };
    const format = new Intl.DateTimeFormat(locale, shape);
    return splits.map((at) => format.format(at * 1000));
  };

  // All lines on one axis of times: a line has a value only at its own times.
  const columns = (lines) => {
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

  const nearest = (behind, index) => {
    if (index == null) return null;
    for (const points of behind) if (points[index]) return points[index];
    return null;
  };

  const draw = (figure) => {
    const given = JSON.parse(document.getElementById(figure.dataset.chart).textContent);
    const { decimals } = given;
    const lines = given.lines.filter((line) => line.points.length);
    const place = figure.querySelector(".plot");
    const readout = figure.querySelector(".readout");
    const format = numbers(decimals);
    // The marks of an axis have as many decimals as the one that needs most of them.
    const marks = (_, splits) => {
      const needed = splits.map((value) => (String(+value.toFixed(decimals)).split(".")[1] ?? "").length);
      const { format: write } = numbers(Math.max(0, ...needed));
      return splits.map((value) => write(value));
    };
    if (!lines.length) return null;
    const { data, behind } = columns(lines);
    const font = `13px ${getComputedStyle(document.body).fontFamily}`;
    const context = document.createElement("canvas").getContext("2d");
    context.font = font;
    const endWidth = Math.max(...endWords(lines, format).flat().map((word) => context.measureText(word).width)) + 16;
    let shown = null;

    const say = (point) => {
      if (!point || point === shown) return;
      shown = point;
      const value = document.createElement("strong");
      value.textContent = format.format(point[VALUE]);
      const when = document.createElement("span");
      when.textContent = day.format(point[AT] * 1000);
      const what = document.createElement(point[URL] ? "a" : "span");
      what.textContent = point[LABEL];
      if (point[URL]) what.href = point[URL];
      readout.replaceChildren(value, when, what);
    };

    const labels = (plot) => {
      const { ctx } = plot;
      ctx.save();
      ctx.font = font.replace("13px", `${13 * devicePixelRatio}px`);
      ctx.textBaseline = "middle";
      ctx.textAlign = "left";
      endWords(lines, format).forEach((words, number) => {
        const last = lines[number].points.at(-1);
        ctx.fillStyle = token(STROKES[number % STROKES.length]);
        const x = plot.valToPos(last[AT], "x", true) + 8 * devicePixelRatio;
        const y = plot.valToPos(last[VALUE], "y", true);
        words.forEach((word, row) => ctx.fillText(word, x, y + (row - (words.length - 1) / 2) * 15 * devicePixelRatio));
      });
      ctx.restore();
    };

    const series = [{}];
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
    const axis = { stroke: token("stone"), font, grid: { stroke: token("linen"), width: 1 }, ticks: { show: false } };

    const plot = new uPlot(
      {
        width: place.clientWidth,
        height: place.clientHeight,
        padding: [12, endWidth, 0, 0],
        series,
        bands,
        scales: { y: { range: (_, low, high) => padded(low, high, decimals) } },
        axes: [
          { ...axis, grid: { show: false }, values: axisDates, space: 72 },
          { ...axis, size: 52, values: marks },
        ],
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, y: false, points: { size: 10, fill: token("brass-fill") } },
        hooks: { draw: [labels], setCursor: [(self) => say(nearest(behind, self.cursor.idx))] },
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

  // What stands at the end of each line: its value, under its name where there are several.
  const endWords = (lines, format) =>
    lines.map((line) => {
      const value = format.format(line.points.at(-1)[VALUE]);
      return lines.length > 1 ? [line.label, value] : [value];
    });

  // A little air above and below; a single value stands in the middle.
  const padded = (low, high, decimals) => {
    const air = Math.max((high - low) * 0.12, decimals ? 0.5 : 10);
    return [low - air, high + air];
  };

  const plots = new Map();
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
  const redrawAll = () => [...plots.keys()].forEach((figure) => (figure.isConnected ? redraw(figure) : plots.delete(figure)));

  document.addEventListener("DOMContentLoaded", start);
  document.addEventListener("htmx:afterSettle", start);
  document.addEventListener("midpoint:appearance", redrawAll);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
})();
