// The timer of a break on the big screen: the time that is left, and three tones at its end if sound is turned on.

import { clockFace } from "../../clubs/formats.js";
import { endedBetween, secondsLeft } from "./wall_pace.js";

const KEPT = "midpoint-break-sound";
const TONES = [0, 0.6, 1.2]; // seconds from the first one
const LASTS = 0.35; // seconds
const PITCH = 880; // hertz

/** @type {AudioContext | null} Browsers start sound only at a press of a button or key. */
let audio = null;
const ready = () => {
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume().catch(() => {});
  return audio;
};
const ring = () => {
  const context = ready();
  for (const after of TONES) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    const begins = context.currentTime + after;
    tone.frequency.value = PITCH;
    volume.gain.setValueAtTime(0.4, begins);
    volume.gain.exponentialRampToValueAtTime(0.001, begins + LASTS);
    tone.connect(volume).connect(context.destination);
    tone.start(begins);
    tone.stop(begins + LASTS);
  }
};

/** @type {() => boolean} */
const isOn = () => {
  try {
    return localStorage.getItem(KEPT) === "on";
  } catch {
    return false; // a browser that keeps nothing
  }
};
/** @type {(on: boolean) => void} */
const keep = (on) => {
  try {
    localStorage.setItem(KEPT, on ? "on" : "off");
  } catch {
    // it is on until the page is left
  }
};

/**
 * Run the timer; `over` is called when a break has ended.
 * @type {(over: () => void) => void}
 */
export const breakTimer = (over) => {
  const button = /** @type {HTMLElement} */ (document.querySelector("[data-sound]"));
  let sounds = isOn();
  const tell = () => button.setAttribute("aria-pressed", String(sounds));
  button.hidden = false;
  button.addEventListener("click", () => {
    sounds = !sounds;
    keep(sounds);
    tell();
    if (sounds) ring();
  });
  // After a reload the first press anywhere makes sound possible again.
  document.addEventListener("pointerdown", () => sounds && ready(), { once: true });
  tell();
  let last = Date.now();
  const tick = () => {
    const now = Date.now();
    const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-until]"));
    if (place) {
      const until = String(place.dataset.until);
      place.textContent = clockFace(secondsLeft(until, now));
      if (endedBetween(until, last, now)) {
        if (sounds) ring();
        over();
      }
    }
    last = now;
  };
  tick();
  setInterval(tick, 1000);
};
