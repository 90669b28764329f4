// The line that says who can record at the table now; equal to the server's (views/first_drawing.py).

import { here } from "./projection.js";
import { say } from "../sheets/words.js";

// Most players called by name; the rest are counted.
const MOST_NAMED = 4;

/**
 * `stopped` is whether this device can no longer record.
 * @type {(view: import("./projection.js").TableView, stopped: boolean) => string}
 */
export const whoRecords = (view, stopped) => {
  if (view.status !== "open") return say("records_over");
  if (stopped) return say("records_not_here");
  const others = view.players.filter((player) => player.ref !== view.you && player.records && here(player));
  const named = others.length > MOST_NAMED ? others.slice(0, MOST_NAMED - 1) : others;
  const rest = others.length - named.length;
  return say("records", {
    names: [
      say("records_you"),
      ...named.map(({ name, short }) => short ?? name),
      ...(rest ? [say("records_more", { count: rest })] : []),
      say("records_directors"),
    ].join(", "),
  });
};
