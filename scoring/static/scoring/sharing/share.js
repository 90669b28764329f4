/**
 * The button that opens the device's own sharing: shown only where there is one.
 */

/** Show the buttons of a part of the page, after it was loaded or replaced. */
function reveal() {
  if (!navigator.share) return;
  for (const button of document.querySelectorAll("[data-shares]")) button.removeAttribute("hidden");
}

/** @param {Event} event */
async function share(event) {
  const target = /** @type {Element} */ (event.target);
  const button = /** @type {HTMLElement | null} */ (target.closest("[data-shares]"));
  if (!button) return;
  const link = document.getElementById("position-link");
  try {
    await navigator.share({ title: button.dataset.shares, url: link?.textContent ?? location.href });
  } catch (error) {
    // Closing the sheet of the device is no failure.
    if (!(error instanceof DOMException) || error.name !== "AbortError") throw error;
  }
}

document.addEventListener("click", share);
document.addEventListener("htmx:afterSettle", reveal);
reveal();
