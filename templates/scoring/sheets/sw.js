// Keeps scoresheets, chouettes and the desk usable without a line: their pages and what they are made of, nothing else of the site.
"use strict";

const PAGES = "midpoint-sheets";
const SHELL = "midpoint-shell";
const STATIC = "{{ static_prefix|escapejs }}";
const SHEET = /^\/(matches\/[^/]+\/sheet|chouettes\/[2-9a-z]{10})\/$/;
const SIGNED_OUT = "{{ logout_path|escapejs }}";

/**
 * @typedef {object} KeptPage
 * @property {string} page
 * @property {string[]} parts addresses of what the page is made of
 */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/** @param {URL} url */
const isStatic = (url) => url.origin === worker.location.origin && url.pathname.startsWith(STATIC);

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (event) =>
  event.waitUntil(Promise.all([worker.clients.claim(), forgetOldFiles()])),
);

/**
 * Ask for it and keep the answer.
 * @param {string} name
 * @param {Request | string} request
 */
const keep = async (name, request) => {
  const answer = await fetch(request, { credentials: "same-origin" });
  if (answer.ok && !answer.redirected) await (await caches.open(name)).put(request, answer.clone());
  return answer;
};

/**
 * What a kept answer says.
 * @param {Cache} cache
 * @param {Request} request
 */
const textOf = async (cache, request) => (await cache.match(request))?.text() ?? "";

/**
 * Let go of static files of versions before. A file is needed while its name stands in a kept page, or in a script or
 * a style sheet that such a page needs: the name changes with what the file says.
 */
const forgetOldFiles = async () => {
  const [pages, files] = await Promise.all([caches.open(PAGES), caches.open(SHELL)]);
  const texts = await Promise.all((await pages.keys()).map((page) => textOf(pages, page)));
  let unneeded = [...(await files.keys())];
  for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
    const said = text;
    const needed = unneeded.filter(({ url }) => said.includes(new URL(url).pathname.replace(/.*\//, "")));
    unneeded = unneeded.filter((file) => !needed.includes(file));
    const read = needed.filter(({ url }) => /\.(css|js)$/.test(new URL(url).pathname));
    texts.push(...(await Promise.all(read.map((file) => textOf(files, file)))));
  }
  await Promise.all(unneeded.map((file) => files.delete(file)));
};

/**
 * What was kept; without it the error that there is no answer.
 * @param {unknown} error
 * @param {Request} request
 */
const keptOr = async (error, request, ignoreSearch = true) => {
  const kept = await caches.match(request, { ignoreSearch, ignoreVary: true });
  if (kept) return kept;
  throw error;
};

/**
 * @param {string} name
 * @param {Request} request
 */
const freshOrKept = async (name, request) => {
  try {
    return await keep(name, request);
  } catch (error) {
    return keptOr(error, request, name === PAGES);
  }
};

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== worker.location.origin) return;
  if (request.method === "POST" && url.pathname === SIGNED_OUT) {
    event.waitUntil(caches.delete(PAGES)); // the next person at this device sees no sheet of this one
    return;
  }
  if (request.method !== "GET") return;
  if (request.mode === "navigate" && SHEET.test(url.pathname)) event.respondWith(freshOrKept(PAGES, request));
  // Any other page that has asked to be kept (below) is found again without a line.
  else if (request.mode === "navigate")
    event.respondWith(fetch(request).catch((error) => keptOr(error, request)));
  else if (isStatic(url)) event.respondWith(freshOrKept(SHELL, request));
});

// A page that was loaded before this worker ran names what it is made of.
worker.addEventListener("message", (event) => {
  const { page, parts } = /** @type {KeptPage} */ (event.data);
  const all = [
    keep(PAGES, page),
    ...parts.filter((part) => isStatic(new URL(part))).map((part) => keep(SHELL, part)),
  ];
  const kept = Promise.allSettled(all).then(forgetOldFiles);
  event.waitUntil(kept.finally(() => event.source?.postMessage({ kept: true })));
});

// A call of the desk, shown also while the site is closed; a tap opens the match.
worker.addEventListener("push", (event) => {
  if (!event.data) return;
  const call = event.data.json();
  const shown = {
    body: call.body,
    tag: call.tag,
    renotify: true,
    requireInteraction: true,
    data: call.address,
  };
  event.waitUntil(worker.registration.showNotification(call.title, shown));
});
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(worker.clients.openWindow(event.notification.data));
});
