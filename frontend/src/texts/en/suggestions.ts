import type { Pointing } from "../pointer";

/** What is said where a model has suggested boxes. */

export default {
  hint: (by: Pointing) =>
    `Dashed boxes are a model’s suggestions, some of them wrong. Accept what is right: ${{ click: "press or click", tap: "tap", both: "press or tap" }[by]} its number. Draw what is missing.`,
  hintOne: (by: Pointing) =>
    `Dashed boxes are a model’s suggestions, some of them wrong. To accept a right one, ${{ click: "press or click", tap: "tap", both: "press or tap" }[by]} its number. If none is right, draw your own box.`,
  list: "Suggestions and boxes",
  /** `words`: what the caption calls it. */
  one: (n: number, words: string) => `Suggestion ${n}, ${words}`,
  discard: (n: number) => `Discard suggestion ${n}`,
  accepted: (n: number, where: string) => `Suggestion ${n} is accepted: ${where}.`,
  discarded: (n: number) => `Suggestion ${n} is discarded.`,
  open: (n: number) => `Suggestion ${n} is not accepted any more.`,
  removed: (n: number) => `Box ${n} is removed.`,
  again: (n: number) => (n === 1 ? "Show the discarded suggestion" : `Show ${n} discarded suggestions`),
  nothing: "Accept a suggestion or draw a box first. If no box is needed, say so.",
};
