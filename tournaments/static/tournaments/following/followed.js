// Whom this browser follows without an account: the players' refs, as the text that it keeps.

const KEY = "midpoint-follows";

/**
 * The refs in a kept text; none where it holds something else.
 * @type {(text: string | null | undefined) => Set<string>}
 */
export const readFollowed = (text) => {
  try {
    const refs = JSON.parse(text ?? "[]");
    return new Set(Array.isArray(refs) ? refs.filter((ref) => typeof ref === "string") : []);
  } catch {
    return new Set();
  }
};

/**
 * The same with a player followed, or no longer.
 * @type {(followed: Set<string>, ref: string) => Set<string>}
 */
export const toggled = (followed, ref) => {
  const after = new Set(followed);
  if (!after.delete(ref)) after.add(ref);
  return after;
};

/** @type {() => Set<string>} */
export const followed = () => {
  try {
    return readFollowed(localStorage.getItem(KEY));
  } catch {
    return new Set(); // storage is shut off
  }
};
/** @type {(refs: Set<string>) => void} */
export const keepFollowed = (refs) => localStorage.setItem(KEY, JSON.stringify([...refs]));
