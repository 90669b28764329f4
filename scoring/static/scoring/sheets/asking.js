// One question to the server, as pages ask that must outlive a lost line.

/**
 * @typedef {{ status: number, data: any }} Answer
 * @typedef {{ method?: string, body?: string, headers?: Record<string, string> }} Question
 */

const PATIENCE = 12000; // milliseconds until an answer counts as none

/** The cookie's: a page that was kept has the token of the day when it was loaded. */
const token = () => {
  const cookie = document.cookie.split("; ").find((part) => part.startsWith("csrftoken="));
  if (cookie) return decodeURIComponent(cookie.slice(10));
  return JSON.parse(document.body.getAttribute("hx-headers") ?? "{}")["X-CSRFToken"] ?? "";
};

/**
 * The status and what came back. Null without a line, from a server that cannot answer, when the line breaks within the
 * answer, and from something between that answers in the server's place: its "yes" comes without our data.
 * @type {(url: string, question?: Question) => Promise<Answer | null>}
 */
const exchange = async (url, question = {}) => {
  try {
    const headers = { Accept: "application/json", ...question.headers };
    const signal = AbortSignal.timeout(PATIENCE);
    const answer = await fetch(url, { ...question, headers, cache: "no-store", signal });
    if (answer.status >= 500) return null;
    const isJson = (answer.headers.get("Content-Type") ?? "").includes("json");
    if (answer.ok && answer.status !== 204 && !isJson) return null;
    return { status: answer.status, data: isJson ? await answer.json() : null };
  } catch {
    return null;
  }
};

/**
 * Which of the entries that were sent a problem is about, by its `errors`; the first where it names none.
 * @type {(problem: any) => number}
 */
export const entryIn = (problem) => {
  const fields = (problem?.errors ?? []).map((/** @type {{ field: string }} */ { field }) => field);
  const found = fields.map((/** @type {string} */ field) => /^entries\.(\d+)/.exec(field)).find(Boolean);
  return found ? Number(found[1]) : 0;
};

/**
 * Whether an answer says that who asks has nothing to do here any more.
 * @type {(status: number) => boolean}
 */
export const isShutOut = (status) => [401, 403, 404].includes(status);

/**
 * How a line can be read that can be read in several ways: each in words, with the whole line that says it.
 * @type {(problem: any) => { words: string, text: string }[]}
 */
export const readingsIn = (problem) => {
  const { readings = [], lines = readings } = problem?.parameters ?? {};
  return readings.map((/** @type {string} */ words, /** @type {number} */ at) => ({
    words,
    text: lines[at],
  }));
};

/** @type {(url: string, question?: Question) => Promise<Answer | null>} */
export const ask = (url, question) => window.midpoint.during(exchange(url, question));

/** @type {(url: string, data: object, headers?: Record<string, string>, method?: string) => Promise<Answer | null>} */
export const post = (url, data, headers = {}, method = "POST") =>
  ask(url, {
    method,
    body: JSON.stringify(data),
    headers: { "Content-Type": "application/json", "X-CSRFToken": token(), ...headers },
  });
