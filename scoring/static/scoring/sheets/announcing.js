// What changed, said once for those who hear it, with what can be done now.

export class Announcing {
  said = "";

  /**
   * @param {import("./part.js").Part} part
   * @param {string} choices what of the dock can be done now
   */
  constructor(part, choices) {
    this.part = part;
    this.choices = choices;
  }

  /** @param {string} last the last entry in words */
  say(last) {
    const options = [...this.part("dock").querySelectorAll(this.choices)]
      .map((element) => (element.getAttribute("aria-label") ?? element.textContent ?? "").trim())
      .filter(Boolean);
    const words = [...new Set([last, ...options].map((said) => said.replace(/\.$/, "")))].join(". ");
    if (words === this.said) return;
    this.said = words;
    this.part("said").textContent = words;
  }
}
