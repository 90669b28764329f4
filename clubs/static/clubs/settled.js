// Whether the page is settled: <html data-page="settled"> while nothing is in progress, else "busy".
// In progress: scripts that are not set up yet, a request until its response is in the page, a stream that is neither
// open nor refused, writes to storage on this device, and navigation. A lost connection, unsent entries and the pause
// between two polls are not.
"use strict";

(() => {
  const root = document.documentElement;
  const OPENS_WITHIN = 8000; // milliseconds until a stream counts as held up on its way
  const LEAVES_WITHIN = 10000; // an answer that is a file leaves the page where it is
  const works = new Set();
  /** @type {Set<Element>} */
  const inserted = new Set(); // what htmx has put into the page and has not settled
  const show = () => {
    for (const node of inserted) if (!node.isConnected) inserted.delete(node);
    root.dataset.page = works.size || inserted.size ? "busy" : "settled";
  };
  /** @type {(work: unknown) => void} */
  const begin = (work) => {
    works.add(work);
    show();
  };
  /** @type {(work: unknown) => void} */
  const end = (work) => {
    works.delete(work);
    show();
  };

  /**
   * Busy until the promise is settled. Returns the promise: whoever awaits it meets its errors.
   * @type {Window["midpoint"]["during"]}
   */
  const during = (promise) => {
    begin(promise);
    promise.then(
      () => end(promise),
      () => end(promise),
    );
    return promise;
  };
  /**
   * Busy until the stream is open, is refused, or has had its time. Returns the stream.
   * @type {Window["midpoint"]["opening"]}
   */
  const opening = (stream) => {
    during(
      new Promise((done) => {
        for (const name of ["open", "error"]) stream.addEventListener(name, done, { once: true });
        setTimeout(done, OPENS_WITHIN);
      }),
    );
    return stream;
  };
  window.midpoint = { during, opening };

  begin("scripts");
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let stays;
  const leave = () => {
    clearTimeout(stays);
    begin("leaving");
    stays = setTimeout(end, LEAVES_WITHIN, "leaving");
  };
  document.addEventListener("DOMContentLoaded", () => {
    // Last of all that listen: what another script keeps here does not leave.
    window.addEventListener("submit", ({ defaultPrevented, target: form }) => {
      if (!defaultPrevented && form.method !== "dialog" && !form.target) leave();
    });
    end("scripts");
  });
  window.addEventListener("beforeunload", leave);
  window.addEventListener("pageshow", () => end("leaving"));

  document.addEventListener("htmx:beforeSend", ({ detail: { xhr } }) => {
    begin(xhr);
    xhr.addEventListener("loadend", () => end(xhr));
  });
  document.addEventListener("htmx:afterSwap", ({ target }) => {
    inserted.add(target);
    show();
  });
  document.addEventListener("htmx:afterSettle", ({ target }) => {
    inserted.delete(target);
    show();
  });
})();
