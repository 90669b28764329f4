// A correction is sent, from a sheet or a table: taken, refused, or not fitting what came after.

import { dialog, fail } from "./dialog.js";
import { newKey, say } from "./words.js";

/**
 * Send what stands in the dialog in the place of a line; where a later line no longer fits, offer to cut.
 * @param {Pick<import("./sync.js").Sync, "send" | "urls" | "view" | "answer" | "takeNotice">} sync
 * @param {SubmitEvent} event
 * @param {{ seq: number, why: string, entry: object }} correction
 */
export const sendCorrection = async (sync, event, { seq, why, entry }) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const done = await sync.send(sync.urls.correct, {
    after: sync.view.seq,
    key: newKey(),
    seq,
    ...entry,
    reason: why,
    cut: event.submitter?.getAttribute("value") === "cut",
  });
  const misfit = sync.answer?.data?.does_not_fit;
  if (done) {
    dialog("correct").close();
  } else if (misfit) {
    fail(form, say("does_not_fit", { line: misfit.line?.words ?? misfit.seq, reason: misfit.reason }));
    /** @type {HTMLElement} */ (form.querySelector("[data-cut]")).hidden = false;
  } else {
    fail(form, sync.takeNotice());
  }
};
