import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Edges } from "../api/types";
import { onScreen, screenSize } from "../geometry/units";
import { rectOf } from "../geometry/view";
import { insetOf } from "./inset";
import { LARGE } from "./later";

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

  test("is never there for a box of which nobody asks for it", () => {
    const side = fc.integer({ min: 1, max: 3000 });
    fc.assert(
      fc.property(side, side, fc.double({ min: 0.02, max: 16, noNaN: true }), (across, down, scale) => {
        fc.pre(Math.max(across, down) * scale >= LARGE);
        const zoomed = { scale, ...onScreen(0, 0) };
        expect(insetOf([0, 0, across, down], zoomed, screenSize(2000, 1500), [])).toBeNull();
      }),
    );
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
