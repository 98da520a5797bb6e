import { expect, test } from "vitest";
import { tied } from "./punctuation";

test.each([
  [" walks a dog .", " walks a dog\u00a0."],
  [" .", "\u00a0."],
  ["a man 's hat , red", "a man\u00a0's hat\u00a0, red"],
  ["two dogs", "two dogs"],
  ["( left )", "( left\u00a0)"],
])("%j is set as %j", (words, set) => {
  expect(tied(words)).toBe(set);
});
