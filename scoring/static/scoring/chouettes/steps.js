// Steps that change stakes: what each does to the cubes, told before it is recorded.

import { named, nameOf, projected } from "./projection.js";
import { say } from "../sheets/words.js";

/**
 * @typedef {import("./actions.js").Action} Action
 * @typedef {import("./projection.js").TableView} TableView
 */

// Steps of one tap, worded by the server.
export const READY = ["beaver", "raccoon", "extra", "extra_refused", "tie"];

/**
 * Whether a step of one tap asks once more.
 * @type {(action: Action) => boolean}
 */
export const changesStakes = ({ kind, body }) =>
  ["beaver", "raccoon", "extra"].includes(kind) || (kind === "tie" && Boolean(body.doubled));

/** @type {(names: string[]) => string} */
const list = (names) => new Intl.ListFormat(document.documentElement.lang).format(names);

/**
 * The cubes and payments that a step changes, in words, and the value that the cubes then show (null if none).
 * @type {(view: TableView, action: Action) => { words: string[], value: number | null }}
 */
export const stepsOf = (view, { kind, body }) => {
  const after = projected(view, [{ kind, body }]);
  const before = new Map((view.game?.cubes ?? []).map(({ key, value }) => [key, value]));
  /** @type {Map<string, { from: number | undefined, to: number, keys: string[] }>} */
  const changes = new Map();
  for (const { key, value: to } of after.game?.cubes ?? []) {
    const from = before.get(key);
    if (from === to) continue;
    const way = `${from}>${to}`;
    changes.set(way, { from, to, keys: [...(changes.get(way)?.keys ?? []), key] });
  }
  const cubes = [...changes.values()].map(({ from, to, keys }) => {
    const names = list(keys.map((key) => nameOf(view, key)));
    if (from !== undefined && keys.length === 1) return `${from} → ${to}`; // the label names the cube
    return from === undefined ? say("cube_new", { names, to }) : say("cube_turns", { names, from, to });
  });
  const paid = (after.ahead?.game?.payments ?? []).slice(view.ahead?.game?.payments.length ?? 0);
  const payments = paid.map(({ payer, receiver, points }) =>
    say("step_pays", { payer: named(view, payer), receiver: named(view, receiver), points }),
  );
  return { words: [...cubes, ...payments], value: [...changes.values()][0]?.to ?? null };
};
