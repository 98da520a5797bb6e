/** The answers that can be chosen, stage by stage, and their keys. Pure. */

import type { Answer, Stage } from "../api/types";

export type ChoiceName =
  | "same"
  | "different"
  | "allSame"
  | "notAll"
  | "box"
  | "scene"
  | "nobox"
  | "noneNeeded"
  | "noFurther"
  | "good"
  | "bad"
  | "complete"
  | "missing"
  | "describes"
  | "minor"
  | "wrong"
  | "unrelated"
  | "somewhat"
  | "nearly"
  | "exactly";

/** Returns the name under which the texts have a choice. Where no box is shown yet, there is no further one. */
export const wordsFor = (name: ChoiceName, boxes: number): ChoiceName =>
  name === "noFurther" && boxes === 0 ? "noneNeeded" : name;

/** The stages whose answers are not chosen from a few: each has a view of its own, which is loaded on demand. */
export type OwnView = "boxes" | "check" | "writing" | "relevance";
/** The stages whose answers are choices. */
export type Choosing = Exclude<Stage, OwnView>;

export interface Choice {
  name: ChoiceName;
  answer: Answer;
  /** The keys in lower case. The button shows the first one. */
  keys: readonly string[];
}

/** Digits are the same on every keyboard. j is for the German yes. */
const YES = ["1", "y", "j"];
const NO = ["2", "n"];

export const CHOICES: Record<Choosing, readonly Choice[]> = {
  link: [
    { name: "same", answer: { same: true }, keys: YES },
    { name: "different", answer: { same: false }, keys: NO },
  ],
  verification: [
    { name: "allSame", answer: { same: true }, keys: YES },
    { name: "notAll", answer: { same: false }, keys: NO },
  ],
  requirement: [
    { name: "box", answer: { requirement: "box" }, keys: ["1"] },
    { name: "scene", answer: { requirement: "scene" }, keys: ["2"] },
    { name: "nobox", answer: { requirement: "nobox" }, keys: ["3"] },
  ],
  drawing: [{ name: "noFurther", answer: { box: null }, keys: ["0"] }],
  quality: [
    { name: "good", answer: { good: true }, keys: YES },
    { name: "bad", answer: { good: false }, keys: NO },
  ],
  coverage: [
    { name: "complete", answer: { complete: true }, keys: YES },
    { name: "missing", answer: { complete: false }, keys: NO },
  ],
  caption_check: [
    { name: "describes", answer: { caption: "right" }, keys: ["1"] },
    { name: "minor", answer: { caption: "minor" }, keys: ["2"] },
    { name: "wrong", answer: { caption: "wrong" }, keys: ["3"] },
  ],
  grading: [
    { name: "unrelated", answer: { grade: 1 }, keys: ["1"] },
    { name: "somewhat", answer: { grade: 2 }, keys: ["2"] },
    { name: "nearly", answer: { grade: 3 }, keys: ["3"] },
    { name: "exactly", answer: { grade: 4 }, keys: ["4"] },
  ],
};

/**
 * Returns the answer that a key gives in a stage, or null. `key` is `KeyboardEvent.key`; Caps Lock does not
 * matter.
 */
export function answerOf(stage: Choosing, key: string): Answer | null {
  const pressed = key.toLowerCase();
  return CHOICES[stage].find((choice) => choice.keys.includes(pressed))?.answer ?? null;
}

/** The answers that vote for nobody, and their keys in lower case. */
export const UNUSABLE: Answer = { unusable: true };
export const UNSURE: Answer = { unsure: true };
export const ABSTENTION_KEYS = { unusable: "u", unsure: "0" };

export const isUnusable = (answer: Answer | null): boolean => answer !== null && "unusable" in answer;
export const isUnsure = (answer: Answer | null): boolean => answer !== null && "unsure" in answer;

/** Returns which of the stage's choices an answer is, or null if there is no answer yet or it is a box. */
export function chosen(stage: Choosing, answer: Answer | null): ChoiceName | null {
  if (answer === null) return null;
  const said = JSON.stringify(answer);
  return CHOICES[stage].find((choice) => JSON.stringify(choice.answer) === said)?.name ?? null;
}
