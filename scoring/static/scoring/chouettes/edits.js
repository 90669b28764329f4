// Fields to correct a log entry, by kind; the server validates the correction.

import { named } from "./projection.js";
import { make, say } from "../sheets/words.js";

/**
 * @typedef {import("./game.js").Ref} Ref
 * @typedef {import("./projection.js").TableView} TableView
 * @typedef {{ player: Ref, dice: number[] }} Throw
 */

/** @type {(words: string, control: Node) => HTMLElement} */
const labelled = (words, control) => make("label", {}, words, control);

/** @type {(name: string, refs: Ref[], value: Ref | null | undefined, view: TableView, nobody?: boolean) => HTMLElement} */
const choose = (name, refs, value, view, nobody = false) => {
  const option = (/** @type {string} */ ref, /** @type {string} */ words) =>
    make("option", { value: ref }, words);
  const found = make(
    "select",
    { name },
    ...(nobody ? [option("", say("nobody"))] : []),
    ...refs.map((ref) => option(ref, named(view, ref))),
  );
  found.value = value ?? "";
  return found;
};

/** @type {(view: TableView) => Ref[]} */
const people = (view) => view.players.map(({ ref }) => ref);
/** @type {(name: string, value: number, most: number) => HTMLElement} */
const number = (name, value, most) =>
  make("input", { type: "number", name, value, min: 1, max: most, step: 1, required: true });

/** @type {(name: string, value: string, words: string, checked: boolean) => HTMLElement} */
const tick = (name, value, words, checked) => {
  const found = make("input", { type: "checkbox", name, value });
  found.checked = checked;
  return make("label", {}, found, " ", words);
};

/** @type {(view: TableView, key: string) => string} */
const cubeName = (view, key) =>
  key
    .split(">")
    .map((ref) => named(view, ref))
    .join(" – ");

/**
 * kind -> [fields(body, view), body of what was typed (FormData, body)].
 * @type {Record<string, [fields: (body: any, view: TableView) => HTMLElement[], body: (typed: FormData, body: any) => object]>}
 */
const EDITS = {
  offer: [
    (body, view) => {
      const keys = [...new Set([...people(view), ...body.cubes])];
      return [
        labelled(say("edit_by"), choose("by", people(view), body.by, view)),
        make(
          "fieldset",
          { class: "bare" },
          make("legend", {}, say("edit_cubes")),
          ...keys.map((key) => tick("cubes", key, cubeName(view, key), body.cubes.includes(key))),
        ),
      ];
    },
    (fields) => ({ by: fields.get("by"), cubes: fields.getAll("cubes") }),
  ],
  order: [
    ({ players }, view) =>
      players.map((/** @type {Ref} */ ref, /** @type {number} */ at) =>
        labelled(
          at === 0 ? say("role_box") : at === 1 ? say("role_captain") : say("edit_place", { number: at + 1 }),
          choose("players", players, ref, view),
        ),
      ),
    (fields) => ({ players: fields.getAll("players") }),
  ],
  places: [
    ({ throws }, view) =>
      throws.flatMap((/** @type {Throw} */ { player, dice }) =>
        dice.map((die, at) =>
          labelled(
            say("die_of", { name: named(view, player), number: at + 1 }),
            number(`die ${player}`, die, 6),
          ),
        ),
      ),
    (fields, { throws }) => ({
      throws: throws.map((/** @type {Throw} */ { player }) => ({
        player,
        dice: fields.getAll(`die ${player}`).map(Number),
      })),
    }),
  ],
  swap: [
    ({ one, other }, view) => [
      labelled(say("edit_one"), choose("one", people(view), one, view)),
      labelled(say("edit_other"), choose("other", people(view), other, view)),
    ],
    (fields) => ({ one: fields.get("one"), other: fields.get("other") }),
  ],
  game_start: [
    ({ partner }, view) => [
      labelled(say("edit_partner"), choose("partner", people(view), partner, view, true)),
    ],
    (fields) => (fields.get("partner") ? { partner: fields.get("partner") } : {}),
  ],
  tie: [
    ({ doubled }) => [tick("doubled", "1", say("edit_doubled"), doubled)],
    (fields) => ({ doubled: fields.has("doubled") }),
  ],
  proxy: [
    ({ proxy }, view) => [labelled(say("edit_proxy"), choose("proxy", people(view), proxy, view, true))],
    (fields, { player }) => (fields.get("proxy") ? { player, proxy: fields.get("proxy") } : { player }),
  ],
  extra: [
    ({ payer, holder }, view) => [
      labelled(say("edit_payer"), choose("payer", people(view), payer, view)),
      labelled(say("edit_holder"), choose("holder", people(view), holder, view)),
    ],
    (fields) => ({ payer: fields.get("payer"), holder: fields.get("holder") }),
  ],
};

/**
 * The fields of a kind, filled from the entry; none for kinds that can only be deleted.
 * @type {(kind: string, body: any, view: TableView) => HTMLElement[]}
 */
export const editFields = (kind, body, view) => EDITS[kind]?.[0](body, view) ?? [];

/**
 * The typed values as an event body; null for a kind without fields here.
 * @type {(kind: string, form: HTMLFormElement, body: any) => object | null}
 */
export const edited = (kind, form, body) => EDITS[kind]?.[1](new FormData(form), body) ?? null;
