import { expect, test } from "vitest";
import { inWords, needed } from "./reckoning";

test.each([
  [0.8, 10, 8],
  [0.83, 10, 9],
  [0.7, 10, 7],
  [0.56, 25, 14],
  [1, 4, 4],
  [0, 10, 1],
])("with a mark of %d, of %d answers %d pass", (mark, asked, right) => {
  expect(needed(mark, asked)).toBe(right);
});

test.each([
  [86_400, "in 24 hours"],
  [3 * 86_400 - 5, "in 3 days"],
  [5400, "in 90 minutes"],
  [0.4, "in 1 minute"],
  [-3, "in 1 minute"],
])("%d seconds from now are %s", (seconds, words) => {
  expect(inWords(seconds, "en")).toBe(words);
});

test("it is said in the language in use", () => {
  expect(inWords(86_400, "de")).toBe("in 24 Stunden");
});
