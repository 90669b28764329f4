// The page stays usable without a line: the worker keeps it and what it is made of for later.

/** @type {(root: HTMLElement, url: string) => Promise<void>} */
const stayUsable = async (root, url) => {
  const workers = navigator.serviceWorker;
  if (!workers) return; // the page is not served over HTTPS: entries are kept, but a reload needs the line
  workers.addEventListener("message", () => {
    root.dataset.kept = "yes";
  });
  await workers.register(url);
  const { active } = await workers.ready;
  const parts = performance.getEntriesByType("resource").map((entry) => entry.name);
  active?.postMessage({ page: location.pathname, parts });
};

/** @type {(root: HTMLElement, url: string) => void} */
export const stay = (root, url) =>
  window.addEventListener("load", () =>
    stayUsable(root, url).catch((error) => console.warn("this device cannot keep the page for later", error)),
  );
