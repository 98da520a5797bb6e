import { expect, test } from "vitest";
import { inWords } from "./relative-time";

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
