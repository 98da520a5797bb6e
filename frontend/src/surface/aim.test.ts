import fc from "fast-check";
import { expect, test } from "vitest";
import { inImage, onScreen, screenSize } from "../geometry/units";
import { SIDE } from "../picture/lens";
import { lensAt, magnification, squareAt } from "./aim";

const screen = screenSize(900, 600);

test.each<[string, number, number, boolean, [number, number]]>([
  ["in the middle, above and to the right of it", 450, 300, false, [478, 140]],
  ["at the right, to the left of it", 890, 300, false, [730, 140]],
  ["at the top, below it", 450, 10, false, [478, 38]],
  ["under a finger, farther away", 450, 300, true, [514, 104]],
])("a pointer %s", (_where, x, y, touch, corner) => {
  const at = lensAt(onScreen(x, y), screen, touch);
  expect([at.x, at.y]).toEqual(corner);
});

test("the magnifier is in the picture and not under the pointer, on a phone, too", () => {
  const spot = (most: number): fc.Arbitrary<number> => fc.double({ min: 0, max: most, noNaN: true });
  fc.assert(
    fc.property(
      fc.constantFrom([900, 600], [390, 234], [360, 300]),
      spot(1),
      spot(1),
      fc.boolean(),
      ([across = 0, down = 0], x, y, touch) => {
        const pointer = onScreen(x * across, y * down);
        const at = lensAt(pointer, screenSize(across, down), touch);
        expect(at.x).toBeGreaterThanOrEqual(0);
        expect(at.y).toBeGreaterThanOrEqual(0);
        expect(at.x + SIDE).toBeLessThanOrEqual(across);
        expect(at.y + SIDE).toBeLessThanOrEqual(down);
        const apart = Math.max(
          at.x - pointer.x,
          pointer.x - at.x - SIDE,
          at.y - pointer.y,
          pointer.y - at.y - SIDE,
        );
        expect(apart).toBeGreaterThanOrEqual(touch ? 22 : 8);
      },
    ),
  );
});

test.each([
  [0.2, 2],
  [1, 4],
  [3, 12],
])("at %d screen pixels an image pixel it shows %d", (scale, shown) => {
  expect(magnification(scale)).toBe(shown);
});

test("what is aimed at is in the middle of the magnifier", () => {
  const { x, y, side } = squareAt(inImage(400, 200), 0.5);
  expect([x + side / 2, y + side / 2]).toEqual([400, 200]);
  expect(side).toBe(SIDE / 2);
});
