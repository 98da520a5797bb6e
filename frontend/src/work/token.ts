/** Workers' tokens, as far as a page may read them. */

/**
 * Returns the part before the first colon. All tokens of a worker have the same part, which is told to nobody
 * else.
 */
export function subjectOf(token: string): string {
  return token.split(":")[0] ?? "";
}

/**
 * Returns the token in a pasted text: a token, or a link that has one in its fragment. Returns null if there is
 * none.
 */
export function tokenIn(pasted: string): string | null {
  const text = pasted.trim();
  const linked = /[#&?]token=([^&#\s]+)/.exec(text)?.[1];
  const token = linked === undefined ? text : decoded(linked);
  return /^[\w.-]+(:[\w-]+)+$/.test(token) ? token : null;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a stray % sign: it is not encoded then
  }
}
