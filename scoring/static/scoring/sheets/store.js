// What must survive a reload and a flat line: the sheet as it was seen last, and what was entered but is not sent yet.

const NAME = "midpoint-sheets";

const opened = new Promise((resolve, reject) => {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("views", { keyPath: "match" });
    request.result.createObjectStore("queue", { keyPath: "order", autoIncrement: true }).createIndex("match", "match");
  };
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const transact = async (name, mode, work) => {
  const database = await opened;
  const transaction = database.transaction(name, mode, { durability: "strict" });
  const finished = new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
  const result = await work(transaction.objectStore(name));
  await finished;
  return result;
};

const within = (name, mode, work) => window.midpoint.during(transact(name, mode, work));

/** The view of a match that was kept, or undefined. */
export const keptView = (match) => within("views", "readonly", (views) => done(views.get(match))).then((row) => row?.view);

/** Keep the view. */
export const keepView = (match, view) => within("views", "readwrite", (views) => done(views.put({ match, view })));

/** The unsent entries of a match, in their order. */
export const queued = (match) => within("queue", "readonly", (queue) => done(queue.index("match").getAll(match)));

/** The sheets with something unsent on this device: [{page, title, count}], `page` the address where it was entered. */
export const unsentSheets = async () => {
  const sheets = new Map();
  for (const { match, page, title } of await within("queue", "readonly", (queue) => done(queue.getAll()))) {
    const count = (sheets.get(match)?.count ?? 0) + 1;
    sheets.set(match, { page, count, named: title });
  }
  const found = [];
  for (const [match, { page, count, named }] of sheets) {
    const view = await keptView(match);
    const title = view ? (view.title ?? `${view.white.name} – ${view.black.name}`) : (named ?? match);
    found.push({ page, count, title });
  }
  return found;
};

/** Put entries at the end of the queue; each gets its `order`. */
export const enqueue = (match, entries) =>
  within("queue", "readwrite", async (queue) => {
    const rows = [];
    for (const entry of entries) {
      const row = { match, ...entry };
      row.order = await done(queue.add(row));
      rows.push(row);
    }
    return rows;
  });

/** Write changed rows back. Rows that this device could not keep are not among them: then there is nothing to do. */
export const rewrite = async (rows) => {
  if (!rows.length) return;
  await within("queue", "readwrite", async (queue) => {
    for (const row of rows) await done(queue.put(row));
  });
};

/** Take rows out of the queue: they are on the sheet, or nobody wants them any more. */
export const dequeue = async (rows) => {
  if (!rows.length) return;
  await within("queue", "readwrite", async (queue) => {
    for (const row of rows) await done(queue.delete(row.order));
  });
};
