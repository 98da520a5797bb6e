import { expect, test } from "vitest";
import type { Entry } from "../work/draft";
import { answered, nextOpen, onward } from "./moves";

/** Each letter is an item: x is answered, o is open. */
function draft(items: string, place: number) {
  const entries = [...items].map((item): Entry => ({
    answer: item === "x" ? { same: true } : null,
    marks: [],
    comment: "",
    chunkFlag: false,
    seconds: 0,
  }));
  return { entries, place };
}

test.each([
  ["xooo", 0, 1],
  ["xxxo", 0, 3],
  ["xoxo", 2, 3],
  ["oxxx", 3, 0],
  ["oxox", 3, 0],
  ["xxxx", 3, 4],
  ["xxxx", 1, 4],
  ["oxxx", 4, 0],
])("of %s, after %d comes %d", (items, place, next) => {
  expect(onward(draft(items, place))).toBe(next);
});

test("with nothing open there is no next open one", () => {
  expect(nextOpen(draft("xx", 0))).toBeNull();
});

test("counts the answers", () => {
  expect(answered(draft("xoxx", 0))).toBe(3);
});
