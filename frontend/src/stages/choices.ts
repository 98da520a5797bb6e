/** The answers that can be chosen, stage by stage, and their keys. Pure. */

import type { Answer, JointStage, Stage } from "../api/types";

export type ChoiceName =
  | "same"
  | "different"
  | "allSame"
  | "notAll"
  | "box"
  | "scene"
  | "nobox"
  | "noFurther"
  | "good"
  | "bad"
  | "complete"
  | "missing";

/** The stages whose answers are choices. */
type Choosing = Exclude<Stage, JointStage>;

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
