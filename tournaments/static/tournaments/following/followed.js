// Players followed in this browser without an account, as refs in local storage.

const KEY = "midpoint-follows";

/**
 * The refs in a stored text; none if it is invalid.
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
 * A copy with one player added or removed.
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
    return new Set(); // storage is blocked
  }
};
/** @type {(refs: Set<string>) => void} */
export const keepFollowed = (refs) => localStorage.setItem(KEY, JSON.stringify([...refs]));
