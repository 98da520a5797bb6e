import fc from "fast-check";
import { expect, test } from "vitest";
import { inset, painted } from "./grid";

test.each([
  [100.188, 1, 100],
  [100.594, 1, 101],
  [101, 1.25, 100.8],
  [100.4, 1.25, 100.8],
  [101, 1.5, 101 + 1 / 3],
  [100.398, 2, 100.5],
  [-0.3, 1, 0],
])("an edge at %d with %d device pixels a CSS pixel is painted at %d", (edge, ratio, at) => {
  expect(painted(edge, ratio)).toBeCloseTo(at, 6);
});

test.each([
  [84, 1, 0],
  [83.6875, 1, 0.3125],
  [83.6875, 2, 0.3125],
  [83.6875, 1.25, 0.3125],
  [85, 1.25, 3],
  [85, 1.5, 1],
  [84, 1.2, 1],
  [84.5, 1.234, 0.5],
  [-0.25, 1, 0.25],
])("behind %d at ratio %d the next whole place is %d on", (edge, ratio, by) => {
  expect(inset(edge, ratio)).toBeCloseTo(by, 6);
});

test("a frame that begins on the grid is painted where it says it is", () => {
  fc.assert(
    fc.property(
      fc.double({ min: -2000, max: 2000, noNaN: true }),
      fc.constantFrom(0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3),
      (edge, ratio) => {
        const at = edge + inset(edge, ratio);
        expect(Math.abs(painted(at, ratio) - at)).toBeLessThan(0.02);
        expect(Math.abs(at - Math.round(at))).toBeLessThan(0.02);
      },
    ),
  );
});
