/** How a caption's words are set. Pure. */

const BEFORE_MARKS = / (?=[.,;:!?)\]'’”])/g;

/** Captions come as tokens with spaces between: a full stop is kept from standing on a line of its own. */
export function tied(words: string): string {
  return words.replace(BEFORE_MARKS, "\u00a0");
}
