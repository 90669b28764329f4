// What must survive a reload and a flat line: the sheet as it was seen last, and what was entered but is not sent yet.

/**
 * @typedef {{ match?: string, order?: number }} Kept a row with its place in the queue, once this device has kept it
 *
 * @typedef {object} Written what an entry of a sheet has
 * @property {string} key
 * @property {string} kind
 * @property {any} body
 * @property {string} words
 * @property {boolean} [unchecked]
 * @property {{ ref: string, name: string } | null} [writer]
 * @property {string} [page]
 * @property {number} [at] when it was entered, by the clock of this device
 * @property {string} [title]
 * @property {string} [batch] the key of the first that it goes with
 * @property {number} [after] the event of the sheet that it follows
 * @property {boolean} [late] whether it waited for the line: who entered it may be elsewhere by now
 *
 * @typedef {Kept & Written} Row
 *
 * @typedef {object} Touch a touch of a match clock
 * @property {string} action
 * @property {"white" | "black"} [side]
 * @property {number} at when it was made, by the clock of this device
 * @property {string} [writer] as whom
 * @property {string} [page]
 */

const NAME = "midpoint-sheets";

/** @type {Promise<IDBDatabase> | null} */
let opened = null;

const forgetOpened = () => {
  opened = null;
};

/** @type {() => Promise<IDBDatabase>} */
const opening = () =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("views", { keyPath: "match" });
      request.result
        .createObjectStore("queue", { keyPath: "order", autoIncrement: true })
        .createIndex("match", "match");
    };
    request.onsuccess = () => {
      request.result.onclose = forgetOpened;
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });

/** What was opened, or what is opened anew: a page that slept can find it closed. */
const database = () => {
  opened ??= opening().catch((error) => {
    forgetOpened();
    throw error;
  });
  return opened;
};

/** @type {(name: string, mode: IDBTransactionMode) => Promise<IDBTransaction>} */
const begun = async (name, mode) => {
  const begin = async () => (await database()).transaction(name, mode, { durability: "strict" });
  try {
    return await begin();
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "InvalidStateError")) throw error;
    forgetOpened();
    return begin();
  }
};

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/**
 * @template T
 * @param {string} name
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => Promise<T>} work
 * @returns {Promise<T>}
 */
const transact = async (name, mode, work) => {
  const transaction = await begun(name, mode);
  const finished = new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
  // Where the work fails, so does the transaction: that is told once.
  const [result] = await Promise.all([work(transaction.objectStore(name)), finished]);
  return result;
};

/**
 * @template T
 * @param {string} name
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => Promise<T>} work
 */
const within = (name, mode, work) => window.midpoint.during(transact(name, mode, work));

/**
 * The view of a match that was kept, or undefined.
 * @type {(match: string) => Promise<any>}
 */
export const keptView = (match) =>
  within("views", "readonly", (views) => done(views.get(match))).then((row) => row?.view);

/**
 * Keep the view.
 * @type {(match: string, view: object) => Promise<unknown>}
 */
export const keepView = (match, view) =>
  within("views", "readwrite", (views) => done(views.put({ match, view })));

/**
 * The unsent entries of a match, in their order.
 * @type {(match: string) => Promise<Row[]>}
 */
export const queued = (match) =>
  within("queue", "readonly", (queue) => done(queue.index("match").getAll(match)));

/** @type {(match: string) => string} the queue of a match's clock, whose touches are no entries of its sheet */
const clockOf = (match) => `${match}/clock`;

/**
 * The unsent touches of a match's clock, in their order.
 * @type {(match: string) => Promise<(Touch & Kept)[]>}
 */
export const queuedTouches = (match) =>
  within("queue", "readonly", (queue) => done(queue.index("match").getAll(clockOf(match))));

/**
 * Keep a touch of a match's clock; it gets its `order`.
 * @type {(match: string, touch: Touch) => Promise<Touch & Kept>}
 */
export const enqueueTouch = async (match, touch) => {
  const [row] = await enqueue(clockOf(match), [touch]);
  return row;
};

/**
 * The sheets with something unsent on this device: [{page, title, count}], `page` the address where it was entered.
 * @type {() => Promise<{ page: string, title: string, count: number }[]>}
 */
export const unsentSheets = async () => {
  const sheets = new Map();
  const rows = await within("queue", "readonly", (queue) => done(queue.getAll()));
  for (const { match: queue, page, title } of rows) {
    const [match] = queue.split("/"); // its clock waits beside it
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

/**
 * Put entries at the end of the queue; each gets its `order`.
 * @type {<Entry extends object>(match: string, entries: Entry[]) => Promise<(Entry & Kept)[]>}
 */
export const enqueue = (match, entries) =>
  within("queue", "readwrite", async (queue) => {
    const rows = [];
    for (const entry of entries) {
      const row = { match, ...entry };
      rows.push({ ...row, order: Number(await done(queue.add(row))) });
    }
    return rows;
  });

/**
 * Write changed rows back. Rows that this device could not keep are not among them: then there is nothing to do.
 * @type {(rows: Kept[]) => Promise<void>}
 */
export const rewrite = async (rows) => {
  if (!rows.length) return;
  await within("queue", "readwrite", async (queue) => {
    for (const row of rows) await done(queue.put(row));
  });
};

/**
 * Take rows out of the queue: they are on the sheet, or nobody wants them any more.
 * @type {(rows: Kept[]) => Promise<void>}
 */
export const dequeue = async (rows) => {
  if (!rows.length) return;
  await within("queue", "readwrite", async (queue) => {
    for (const row of rows) if (row.order !== undefined) await done(queue.delete(row.order));
  });
};
