import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Edges } from "../api/types";
import { inImage, onScreen, screenSize } from "../geometry/units";
import { rectOf } from "../geometry/view";
import { SIDE, insetOf, lensAt, magnification, squareAt } from "./lens";

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

describe("the inset", () => {
  const phone = screenSize(390, 470);
  const view = { scale: 0.09, ...onScreen(12, 98) };

  test("shows a box of 8 pixels of 12 megapixels at least 40 screen pixels wide, with what is round it", () => {
    const box: Edges = [2100, 1400, 2108, 1408];
    const inset = insetOf(box, view, phone, []);
    if (!inset) throw new Error("no inset");
    const { square, side } = inset;
    expect((8 / square.side) * side).toBeGreaterThan(40);
    expect([square.x + square.side / 2, square.y + square.side / 2]).toEqual([2104, 1404]);
  });

  test("is not there if it would hardly enlarge", () => {
    expect(insetOf([1000, 1000, 2500, 2500], view, phone, [])).toBeNull();
  });

  test("lies off the box and off the buttons for zooming", () => {
    const side = 132;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3900 }), fc.integer({ min: 0, max: 2900 }), (x, y) => {
        const box: Edges = [x, y, x + 90, y + 90];
        const rect = rectOf(view, box);
        const inset = insetOf(box, view, phone, [rect]);
        if (!inset) throw new Error("no inset");
        const { corner } = inset;
        const off =
          rect.x + rect.width <= corner.x ||
          rect.x >= corner.x + side ||
          rect.y + rect.height <= corner.y ||
          rect.y >= corner.y + side;
        expect(off).toBe(true);
        expect(corner.x < 195 || corner.y < 235).toBe(true);
      }),
    );
  });
});
