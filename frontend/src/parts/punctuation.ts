/** How the words of a caption are printed. Pure. */

const BEFORE_MARKS = / (?=[.,;:!?)\]'’”])/g;

/** Captions are tokens with spaces between them. This keeps a full stop from standing on a line of its own. */
export function tied(words: string): string {
  return words.replace(BEFORE_MARKS, "\u00a0");
}
