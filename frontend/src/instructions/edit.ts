/** What the editor of instructions does to them. Pure: every function returns something new. */

import type { Edges } from "../api/types";
import type { Guide } from "../stages/guide";
import type { Content, Example, Photo } from "./setup";

export const whole = ({ width, height }: Photo): Edges => [0, 0, width, height];

/** Returns an example of a photograph that was just chosen. */
export function exampleOf(image: Photo): Example {
  return { image, view: whole(image), boxes: [], good: true, words: [], why: {} };
}

/**
 * Returns the part to show: what was cut out, or the whole photograph, and at least all boxes. A part that is
 * too small is widened, as far as the photograph goes.
 */
export function viewOf(image: Photo, cut: Edges | null, boxes: readonly Edges[], least: number): Edges {
  const parts = cut === null ? [whole(image)] : [cut, ...boxes];
  const [left, top, right, bottom] = [
    Math.min(...parts.map((edges) => edges[0])),
    Math.min(...parts.map((edges) => edges[1])),
    Math.max(...parts.map((edges) => edges[2])),
    Math.max(...parts.map((edges) => edges[3])),
  ];
  const [x1, x2] = widened(left, right, image.width, least);
  const [y1, y2] = widened(top, bottom, image.height, least);
  return [x1, y1, x2, y2];
}

function widened(start: number, end: number, size: number, least: number): [number, number] {
  if (end - start >= least) return [start, end];
  const from = Math.max(0, Math.min(start, size - least));
  return [from, Math.min(size, from + least)];
}

/** Returns the phrases of a field in which they are separated by commas. */
export const phrasesIn = (field: string): string[] =>
  field
    .split(",")
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== "");

/** Returns the list with one of its members moved. Nothing moves beyond an end. */
export function moved<T>(list: readonly T[], from: number, by: -1 | 1): T[] {
  const to = from + by;
  const [one, other] = [list[from], list[to]];
  if (one === undefined || other === undefined) return [...list];
  return list.map((member, place) => (place === from ? other : place === to ? one : member));
}

/** Returns the built-in text of a stage, as it would be typed. */
export function builtIn({ stage: { aim, rules } }: Pick<Guide, "stage">): string {
  return [aim, "", ...rules.map((rule) => `- ${rule}`)].join("\n");
}

/** Returns what is sent. Examples without a photograph are sent too, so that the server says what to do. */
export function sent({ texts, usual_examples, examples }: Content): object {
  return {
    texts,
    usual_examples,
    examples: examples.map(({ image, view, boxes, good, words, why }) => ({
      image: Number(image?.id ?? 0),
      view,
      boxes,
      good,
      words,
      why,
    })),
  };
}
