// The face of the match clock between the players: a half for each, the far one upside down. A tap on one's half ends the turn.
// While it is open the screen stays on. A phone that sleeps all the same loses nothing: the time goes on at the server.

import { other } from "./game.js";
import { tell } from "./part.js";
import { prefer, prefs } from "./prefs.js";
import { counting, delayLeft, inMinutes, sounded, timeLeft } from "./time_left.js";
import { say } from "./words.js";

/**
 * @typedef {import("./play.js").Side} Side
 * @typedef {import("./clock.js").Clock} Clock
 */

const SIGNALS = {
  press: { hertz: 660, ms: 40 },
  second: { hertz: 880, ms: 90 },
  flag: { hertz: 330, ms: 900 },
};

/** @type {AudioContext | null} */
let audio = null;

/** A phone lets a page sound from a tap on, and again after a call or a sleep. */
const wake = () => {
  if (prefs.sound === "off") return;
  audio ??= new AudioContext();
  if (audio.state !== "running") audio.resume();
};

/** @type {(signal: { hertz: number, ms: number }) => void} a tone, if sound is on, and where a phone can, as long a buzz */
const signal = ({ hertz, ms }) => {
  navigator.vibrate?.(ms);
  wake();
  if (!audio || prefs.sound === "off") return;
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = hertz;
  volume.gain.value = 0.2;
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + ms / 1000);
};

export class ClockFace {
  /** @type {WakeLockSentinel | null} */
  lock = null;
  /** @type {ReturnType<typeof counting>} what was counted last */
  counted = null;

  /**
   * @param {object} parts
   * @param {HTMLDialogElement} parts.dialog
   * @param {Clock} parts.clock
   * @param {() => Side} parts.below whose half is near
   */
  constructor({ dialog, clock, below }) {
    this.dialog = dialog;
    this.clock = clock;
    this.below = below;
    this.halves = [...dialog.querySelectorAll("[data-half]")];
    this.stop = /** @type {HTMLButtonElement} */ (dialog.querySelector("[data-clock-stop]"));
    this.sound = /** @type {HTMLInputElement} */ (dialog.querySelector("[data-clock-sound]"));
    for (const half of this.halves)
      half.addEventListener("click", () => this.press(/** @type {Side} */ (half.dataset.side)));
    this.stop.addEventListener("click", () => this.clock.touch("pause"));
    this.sound.addEventListener("change", () => {
      prefer("sound", this.sound.checked ? "on" : "off");
      wake();
    });
    dialog.addEventListener("toggle", ({ newState }) => (newState === "open" ? this.open() : this.close()));
    document.addEventListener("visibilitychange", () => this.stayOn());
  }

  open() {
    this.sound.checked = prefs.sound !== "off";
    this.counted = null;
    wake();
    this.stayOn();
    this.draw();
  }

  close() {
    this.lock?.release();
    this.lock = null;
  }

  /** A screen that is hidden lets go of its lock. */
  async stayOn() {
    if (!this.dialog.open || document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
    try {
      this.lock = await navigator.wakeLock.request("screen");
    } catch (error) {
      console.warn("this phone may switch its screen off", error); // saving power: the time goes on all the same
    }
  }

  /** @param {Side} side whose half was tapped */
  press(side) {
    if (this.clock.press(side)) signal(SIGNALS.press);
  }

  draw() {
    if (!this.dialog.open) return;
    const { shown, view } = this.clock;
    const now = Date.now();
    for (const half of this.halves) {
      const side = half.dataset.half === "near" ? this.below() : other(this.below());
      half.dataset.side = side;
      const put = (/** @type {string} */ name, /** @type {string} */ words) =>
        tell(half.querySelector(`[data-value=${name}]`), words);
      const ms = shown ? timeLeft(shown, side, now) : 0;
      const delay = shown ? Math.ceil(delayLeft(shown, side, now) / 1000) : 0;
      put("name", view[side].name);
      put("time", shown ? inMinutes(ms) : say("clock_begin"));
      put("delay", ms < 0 ? say("flag") : delay ? say("clock_delay", { seconds: delay }) : "");
      half.toggleAttribute("data-running", shown?.running === side);
      half.toggleAttribute("data-flag", ms < 0);
    }
    this.stop.disabled = !shown?.running || !this.clock.writes();
    this.count(now);
  }

  /** @param {number} now */
  count(now) {
    const counted = counting(this.clock.shown, now);
    const sound = sounded(this.counted, counted);
    this.counted = counted;
    if (sound) signal(SIGNALS[sound]);
  }
}
