/** A model's suggestions of boxes: which can be accepted, and what comes of accepting or discarding one. Pure. */

import { isEdges } from "../api/shape";
import type { Edges, Question } from "../api/types";
import { tooSmall, whole } from "../geometry/box";
import { imageSize } from "../geometry/units";
import { without, type Work } from "./drawn";

/** The API sends at most so many. */
export const MAX_SUGGESTIONS = 20;

export interface Suggestion {
  /** Its place in the question, from 0, which the answer names. Workers see the number after it. */
  readonly place: number;
  readonly box: Edges;
}

/** Returns those that would be a box of the answer: in whole pixels, inside of the photograph, and not too small. */
export function suggestionsIn(
  { image, suggestions = [] }: Pick<Question, "image" | "suggestions">,
  minimumSide: number,
): Suggestion[] {
  const size = imageSize(image.width ?? 1, image.height ?? 1);
  return suggestions.slice(0, MAX_SUGGESTIONS).flatMap((one, place) => {
    const edges = one.slice(0, 4);
    const box = isEdges(edges) ? whole(edges, size) : null;
    return box === null || tooSmall(box, minimumSide) ? [] : { place, box };
  });
}

/** Returns those that were neither accepted nor discarded. */
export const openIn = (all: readonly Suggestion[], { drawn, hidden = [] }: Work): Suggestion[] =>
  all.filter(({ place }) => !hidden.includes(place) && !drawn.some((one) => one.suggestion === place));

export const accepted = (work: Work, { place, box }: Suggestion): Work => ({
  ...work,
  drawn: [...work.drawn, { box, suggestion: place }],
  marks: [],
});

export const discarded = (work: Work, { place }: Pick<Suggestion, "place">): Work => ({
  ...work,
  hidden: [...(work.hidden ?? []), place],
});

/** Returns the work with no suggestion discarded. */
export const allShown = ({ drawn, marks }: Work): Work => ({ drawn, marks });

/** Something in the list beside the photograph. */
export type Line =
  | { readonly number: number; readonly suggestion: Suggestion }
  /** A box of the answer. `at` is its place there. */
  | { readonly number: number; readonly box: Edges; readonly at: number };

/** Returns what the list shows, by number: a suggestion that is accepted stays where it was. */
export function linesOf(open: readonly Suggestion[], { drawn }: Work, numbers: readonly number[]): Line[] {
  return [
    ...open.map((suggestion): Line => ({ number: suggestion.place + 1, suggestion })),
    ...drawn.map(({ box }, at): Line => ({ number: numbers[at] ?? 0, box, at })),
  ].sort((a, b) => a.number - b.number);
}

/** Returns the work without what a line is: a suggestion is discarded, and a box is removed from the answer. */
export const withoutLine = (work: Work, line: Line): Work =>
  "suggestion" in line ? discarded(work, line.suggestion) : without(work, line.at);
