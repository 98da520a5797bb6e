import fc from "fast-check";
import { expect, test } from "vitest";
import type { Edges } from "../api/types";
import { readBoxes, writeBoxes } from "./boxes";

const side = fc.integer({ min: 0, max: 5000 });
const box = fc
  .tuple(side, side, fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 500 }))
  .map(([x, y, w, h]): Edges => [x, y, x + w, y + h]);

test("what is written is read back", () => {
  fc.assert(
    fc.property(fc.array(box), (boxes) => {
      expect(readBoxes(writeBoxes(boxes))).toEqual(boxes);
    }),
  );
});

test.each(["[10, 20, 30, 40]", " 10,20 30;40 \n\n", "10\t20\t30\t40"])("%j is one box", (text) => {
  expect(readBoxes(text)).toEqual([[10, 20, 30, 40]]);
});

test.each(["1 2 3", "1 2 3 4 5", "a b c d", "3 2 1 4", "1 2 1 4", "-1 2 3 4", "1.5 2 3 4", "1 2 3 4\nx"])(
  "%j is no list of boxes",
  (text) => {
    expect(readBoxes(text)).toBeNull();
  },
);
