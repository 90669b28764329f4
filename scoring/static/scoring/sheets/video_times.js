// When the last entry is seen in the match's video: noted by touch, or at the beginning of a typed line.

import { dialog, fail, fieldOf, forgetProblem } from "./dialog.js";
import { tell } from "./part.js";
import { timeIn } from "./transcription.js";
import { say } from "./words.js";

/**
 * The link to the video leads to the time that was noted last.
 * @param {{ words: string, seconds: number }} time
 */
export const followVideo = (time) => {
  const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector("[data-video]"));
  if (!link) return;
  link.href = `${link.dataset.video}${time.seconds}${link.dataset.after}`;
  link.textContent = say("video_at", { time: time.words });
};

/**
 * Note times in the dialog, if the match has a video.
 * @param {import("./sync.js").Sync} sync
 */
export const listenForTimes = (sync) => {
  const found = dialog("video");
  if (!found) return;
  const form = /** @type {HTMLFormElement} */ (found.querySelector("form"));
  /** @type {import("./views.js").Line | undefined} the entry that was the last one when the dialog was opened */
  let last;
  found.addEventListener("toggle", ({ newState }) => {
    if (newState !== "open") return;
    last = sync.view.lines.filter((/** @type {import("./views.js").Line} */ line) => !line.undone).at(-1);
    tell(/** @type {Element} */ (found.querySelector("[data-what]")), last?.words ?? "");
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const time = timeIn(`@${fieldOf(form, "time").value.trim()}`);
    if (!time || !last) return;
    const body = { event_seq: last.seq, seconds: time.seconds };
    const isNoted = await sync.send(sync.urls.video, body, "PATCH");
    if (!isNoted) {
      fail(form, sync.takeNotice());
      return;
    }
    forgetProblem(form);
    form.reset();
    found.close();
    followVideo(time);
  });
};
