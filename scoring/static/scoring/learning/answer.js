// The verdict on a card: the next one by a key.

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const target = /** @type {Element} */ (event.target);
  if (target.closest("a, button, input, select, textarea, summary")) return;
  event.preventDefault();
  document.getElementById("next-card")?.click();
});
