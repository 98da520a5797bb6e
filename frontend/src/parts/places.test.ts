import fc from "fast-check";
import { expect, test } from "vitest";
import type { Edges } from "../api/types";
import { placeOf } from "./places";

const SIZE = { width: 600, height: 300 };

test.each<[Edges, string, Edges]>([
  [[0, 0, 60, 30], "topLeft", [0, 0, 10, 10]],
  [[270, 120, 330, 180], "middleCentre", [45, 40, 55, 60]],
  [[0, 0, 600, 300], "middleCentre", [0, 0, 100, 100]],
  [[540, 270, 600, 300], "bottomRight", [90, 90, 100, 100]],
  [[0, 240, 100, 300], "bottomLeft", [0, 80, 17, 100]],
  [[500, 100, 600, 200], "middleRight", [83, 33, 100, 67]],
])("%o is at %s", (box, field, percent) => {
  expect(placeOf(box, SIZE)).toEqual({ field, percent });
});

test.each([
  [null, 300],
  [600, null],
  [0, 0],
])("nowhere in a picture of %s × %s", (width, height) => {
  expect(placeOf([0, 0, 1, 1], { width, height })).toBeNull();
});

test("the mirrored box is on the mirrored side", () => {
  const side = fc.tuple(fc.integer({ min: 0, max: 299 }), fc.integer({ min: 301, max: 600 }));
  const mirrored: Record<string, string> = { Left: "Right", Centre: "Centre", Right: "Left" };
  fc.assert(
    fc.property(side, ([left, right]) => {
      const across = (box: Edges): string =>
        placeOf(box, SIZE)?.field.replace(/^(top|middle|bottom)/, "") ?? "";
      expect(across([600 - right, 0, 600 - left, 9])).toBe(mirrored[across([left, 0, right, 9])]);
    }),
  );
});
