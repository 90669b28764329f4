// Options in the table's dialogs.

import { named } from "./projection.js";
import { make } from "../sheets/words.js";

/**
 * @typedef {import("./game.js").Ref} Ref
 * @typedef {import("./projection.js").TableView} TableView
 *
 * @typedef {(found: HTMLDialogElement, view: any, value: any) => void} Fill fills a dialog from the view before it is shown
 *
 * @typedef {object} Parts
 * @property {import("../sheets/sync.js").Sync} sync
 * @property {(entries: import("./projection.js").Entry[]) => Promise<void>} record
 * @property {(action: import("./actions.js").Action) => void} ask confirms a step before it is recorded
 * @property {() => any} shown
 * @property {any} config
 */

/** @type {(value: string, words: string) => HTMLOptionElement} */
export const option = (value, words) => make("option", { value }, words);

/**
 * Fill a select with players, keeping the current choice.
 * @param {HTMLSelectElement} select
 * @param {Ref[]} refs
 * @param {TableView} view
 * @param {Node[]} extra
 */
export const choosePlayer = (select, refs, view, extra = []) => {
  const kept = select.value;
  select.replaceChildren(...extra, ...refs.map((ref) => option(ref, named(view, ref))));
  if ([...select.options].some(({ value }) => value === kept)) select.value = kept;
};

/**
 * The possible actions of one kind.
 * @param {TableView} view
 * @param {string} kind
 */
export const actionsOf = (view, kind) => view.actions.filter((action) => action.kind === kind);
