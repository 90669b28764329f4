// Swagger UI is dark if its page has this class: follow the site's appearance.

{
  const chosen = /** @type {HTMLElement} */ (document.currentScript).dataset.theme;
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const show = () => {
    const dark = chosen === "dark" || (chosen !== "light" && system.matches);
    document.documentElement.classList.toggle("dark-mode", dark);
    document.documentElement.dataset.theme = dark ? "dark" : "light";
  };
  system.addEventListener("change", show);
  show();
}
