// What a key does at a card: it presses the button that it stands for, undoes a move, sends the play, or begins
// to type one.

/**
 * @typedef {{ closest(selectors: string): unknown }} Place
 * @typedef {Pick<KeyboardEvent, "key" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey">} Held
 * @typedef {Held & { target: unknown }} Pressed
 *
 * @type {<Button extends { dataset: DOMStringMap }>(event: Pressed, buttons: Button[]) => Button | "undo" | "send" | "type" | null}
 */
export const keyed = (event, buttons) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return null;
  const element = /** @type {Place | null} */ (event.target);
  const button = buttons.find(({ dataset }) => dataset.key === event.key);
  if (event.key === "Escape") return button ?? null;
  if (element?.closest("input, textarea, select, dialog, [contenteditable]")) return null;
  if (button) return button;
  if (event.key === "Backspace" || event.key === "u") return "undo";
  if (/^[0-9b]$/.test(event.key)) return "type";
  return event.key === "Enter" && !element?.closest("a, button, summary, [tabindex]:not(main, h2)")
    ? "send"
    : null;
};
