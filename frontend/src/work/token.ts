/** Workers' tokens, as far as a page may look into them. */

/** The part before the first colon: the same for every token of one worker, and told to nobody else. */
export function subjectOf(token: string): string {
  return token.split(":")[0] ?? "";
}

/** The token in what was pasted: a token, or a link that has one in its fragment; null where there is none. */
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
    return part; // a stray % sign: then it is not encoded
  }
}
