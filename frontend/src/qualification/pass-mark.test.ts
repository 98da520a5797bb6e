import { expect, test } from "vitest";
import { needed } from "./pass-mark";

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
