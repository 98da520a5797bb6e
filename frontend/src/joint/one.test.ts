import { expect, test } from "vitest";
import type { Edges } from "../api/types";
import { BLANK } from "../work/draft";
import { boxIn, isChanged, makingOf, oneWorkOf } from "./one";

const BOX: Edges = [10, 20, 110, 220];

test("a box that is from a suggestion is in the list of suggestions, and no other", () => {
  const entry = { ...BLANK, answer: { box: BOX, suggestion: 1 }, part: { hidden: [0] } };
  expect(oneWorkOf(entry)).toEqual({ drawn: [{ box: BOX, suggestion: 1 }], marks: [], hidden: [0] });
  expect(oneWorkOf({ ...entry, answer: { box: BOX } }).drawn).toEqual([]);
});

test.each([null, { box: null }, { unusable: true }, { boxes: [{ box: BOX }] }, { box: [1, 2, NaN, 4] }])(
  "%j has no box",
  (answer) => {
    expect(boxIn({ answer: answer as never })).toBeNull();
  },
);

test.each<[string, Edges, boolean]>([
  ["moved", [15, 0, 115, 200], true],
  ["pulled at an edge", [10, 20, 110, 221], true],
  ["pulled at a corner", [3, 9, 110, 220], true],
  ["drawn anew from the same left", [10, 30, 100, 200], false],
  ["drawn anew elsewhere", [300, 20, 420, 90], false],
])("a box that was %s", (_, after, changed) => {
  expect(isChanged(BOX, after)).toBe(changed);
});

test("only a suggestion that is changed is still from the model", () => {
  const before = { box: BOX, suggestion: 3 };
  expect(makingOf({ box: [11, 20, 111, 220] }, before, undefined)).toEqual({ suggestion: 3 });
  expect(makingOf({ box: [300, 20, 420, 90] }, before, "drag")).toEqual({ drawnBy: "drag" });
  expect(makingOf({ box: [11, 20, 111, 220] }, { box: BOX }, "keys")).toEqual({ drawnBy: "keys" });
  expect(makingOf({ box: BOX }, null, "keys")).toEqual({ drawnBy: "keys" });
});
