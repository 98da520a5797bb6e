import fc from "fast-check";
import { expect, test } from "vitest";
import { sameShape } from "./shape";

test.each([
  ["the photograph itself", 4000, 3000, true],
  ["half of it, rounded", 1999, 1500, true],
  ["a narrow copy, rounded", 333, 250, true],
  ["turned", 3000, 4000, false],
  ["a strip of 30 pixels cut off", 3970, 3000, false],
  ["a strip of 2 pixels cut off", 3998, 3000, false],
  ["nothing", 0, 0, false],
])("%s", (_name, width, height, fits) => {
  expect(sameShape({ width, height }, { width: 4000, height: 3000 })).toBe(fits);
});

const sides = fc.integer({ min: 8, max: 8000 });

test("every copy of another size has the same shape", () => {
  fc.assert(
    fc.property(sides, sides, fc.double({ min: 0.1, max: 4, noNaN: true }), (width, height, scale) => {
      const copy = { width: Math.round(width * scale), height: Math.round(height * scale) };
      expect(sameShape(copy, { width, height })).toBe(copy.width > 0);
    }),
  );
});
