import { expect, test } from "vitest";
import { PAPER, type Answer } from "../api/types";
import { CHOICES, answerOf, chosen, type ChoiceName } from "./choices";

test.each<[(typeof PAPER)[number], string, Answer | null]>([
  ["link", "y", { same: true }],
  ["link", "Y", { same: true }],
  ["link", "j", { same: true }],
  ["link", "1", { same: true }],
  ["link", "n", { same: false }],
  ["link", "2", { same: false }],
  ["link", "3", null],
  ["link", "Enter", null],
  ["link", " ", null],
  ["verification", "y", { same: true }],
  ["verification", "2", { same: false }],
  ["requirement", "1", { requirement: "box" }],
  ["requirement", "2", { requirement: "scene" }],
  ["requirement", "3", { requirement: "nobox" }],
  ["requirement", "y", null],
  ["requirement", "n", null],
  ["drawing", "0", { box: null }],
  ["drawing", "n", null],
  ["drawing", "1", null],
  ["quality", "1", { good: true }],
  ["quality", "N", { good: false }],
  ["coverage", "y", { complete: true }],
  ["coverage", "2", { complete: false }],
])("at %s the key %s answers %o", (stage, key, answer) => {
  expect(answerOf(stage, key)).toEqual(answer);
});

test.each(PAPER)("no key of %s has two meanings, or one that the pages use", (stage) => {
  const keys = CHOICES[stage].flatMap((choice) => choice.keys);
  expect(new Set(keys).size).toBe(keys.length);
  for (const taken of ["?", "backspace", "k", "c", "x", "m", "enter"]) expect(keys).not.toContain(taken);
});

test.each<[(typeof PAPER)[number], Answer | null, ChoiceName | null]>([
  ["link", null, null],
  ["link", { same: false }, "different"],
  ["verification", { same: false }, "notAll"],
  ["requirement", { requirement: "scene" }, "scene"],
  ["drawing", { box: null }, "noFurther"],
  ["drawing", { box: [1, 2, 3, 4] }, null],
  ["quality", { good: true }, "good"],
  ["coverage", { complete: false }, "missing"],
])("at %s the answer %o is the choice %s", (stage, answer, name) => {
  expect(chosen(stage, answer)).toBe(name);
});
