import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Edges } from "../api/types";
import {
  fromCorners,
  fromExtremes,
  grown,
  handlePoint,
  height,
  inTheMiddle,
  iou,
  moved,
  resized,
  squareRound,
  tooSmall,
  whole,
  width,
  type Handle,
} from "./box";
import { imageSize, inImage } from "./units";

const image = imageSize(100, 80);
const coordinate = fc.double({ min: -50, max: 150, noNaN: true });
const boxes = fc
  .tuple(
    fc.integer({ min: 0, max: 90 }),
    fc.integer({ min: 0, max: 70 }),
    fc.integer({ min: 1, max: 100 }),
    fc.integer({ min: 1, max: 80 }),
  )
  .map(([left, top, w, h]): Edges => [left, top, Math.min(left + w, 100), Math.min(top + h, 80)]);

test("any two corners make the same box", () => {
  fc.assert(
    fc.property(coordinate, coordinate, coordinate, coordinate, (ax, ay, bx, by) => {
      const box = fromCorners(inImage(ax, ay), inImage(bx, by));
      expect(fromCorners(inImage(bx, by), inImage(ax, ay))).toEqual(box);
      expect(fromCorners(inImage(ax, by), inImage(bx, ay))).toEqual(box);
      expect(box[0]).toBeLessThanOrEqual(box[2]);
      expect(box[1]).toBeLessThanOrEqual(box[3]);
    }),
  );
});

test("four extreme points in any order make the box that touches each", () => {
  const points = [
    [50, 10],
    [40, 70],
    [20, 30],
    [90, 35.5],
  ] as const;
  expect(fromExtremes(points)).toEqual([20, 10, 90, 70]);
  expect(fromExtremes([...points].reverse())).toEqual([20, 10, 90, 70]);
  expect(fromExtremes([])).toBeNull();
});

describe("whole pixels, as annotation/domain/answers.py makes them", () => {
  test.each<[string, Edges, Edges | null]>([
    ["halves go up", [10.5, 20.5, 30.5, 40.5], [11, 21, 31, 41]],
    ["less than half goes down", [10.49, 20.4, 30.49, 40.1], [10, 20, 30, 40]],
    ["below zero, too, before it is cut", [-0.5, -0.6, 30, 40], [0, 0, 30, 40]],
    ["cut at the image", [-20, -5, 150, 99], [0, 0, 100, 80]],
    ["nothing inside the image", [100, 10, 140, 40], null],
    ["nothing but a line", [10.6, 10, 11.4, 40], null],
  ])("%s", (_name, raw, box) => {
    expect(whole(raw, image)).toEqual(box);
  });

  test("once is enough", () => {
    fc.assert(
      fc.property(coordinate, coordinate, coordinate, coordinate, (ax, ay, bx, by) => {
        const box = whole(fromCorners(inImage(ax, ay), inImage(bx, by)), image);
        if (box !== null) expect(whole(box, image)).toEqual(box);
      }),
    );
  });
});

test.each<[Edges, number, boolean]>([
  [[0, 0, 3, 3], 3, false],
  [[0, 0, 2, 9], 3, true],
  [[0, 0, 9, 2], 3, true],
])("whether %o is too small for a side of %d: %s", (box, side, small) => {
  expect(tooSmall(box, side)).toBe(small);
});

test("a box that is moved stays as big, and in the image", () => {
  fc.assert(
    fc.property(boxes, coordinate, coordinate, (box, dx, dy) => {
      const raw = moved(box, dx, dy, image);
      const box2 = whole(raw, image);
      expect(box2 && [width(box2), height(box2)]).toEqual([width(box), height(box)]);
      expect(raw[0]).toBeGreaterThanOrEqual(0);
      expect(raw[3]).toBeLessThanOrEqual(80);
    }),
  );
});

test.each<[Handle, Edges]>([
  ["n", [20, 5, 60, 50]],
  ["e", [20, 10, 33, 50]],
  ["s", [20, 5, 60, 10]],
  ["w", [33, 10, 60, 50]],
  ["nw", [33, 5, 60, 50]],
  ["ne", [20, 5, 33, 50]],
  ["se", [20, 5, 33, 10]],
  ["sw", [33, 5, 60, 10]],
])("handle %s put at 33, 5; an edge drawn across the other becomes that one", (handle, box) => {
  expect(resized([20, 10, 60, 50], handle, inImage(33, 5))).toEqual(box);
});

test("a handle put where it is changes nothing", () => {
  fc.assert(
    fc.property(boxes, fc.constantFrom<Handle>("n", "ne", "e", "se", "s", "sw", "w", "nw"), (box, handle) => {
      expect(resized(box, handle, handlePoint(box, handle))).toEqual(box);
    }),
  );
});

test.each<[number, number, Edges]>([
  [1, -1, [20, 10, 61, 49]],
  [-90, -90, [20, 10, 23, 13]],
  [90, 90, [20, 10, 100, 80]],
])("grown by %d, %d it keeps its corner, the image and the smallest side", (dx, dy, box) => {
  expect(grown([20, 10, 60, 50], dx, dy, image, 3)).toEqual(box);
});

test("a box in the middle is half as wide and high", () => {
  expect(inTheMiddle([0, 20, 80, 60])).toEqual([20, 30, 60, 50]);
});

test.each<[Edges, { x: number; y: number; side: number }]>([
  [[100, 100, 300, 200], { x: 70, y: 20, side: 260 }],
  [[0, 0, 4, 4], { x: -6, y: -6, side: 16 }],
])("the square round %o has its surroundings", (box, square) => {
  expect(squareRound(box, 0.15)).toEqual(square);
});

test("boxes overlap by their shared part of both", () => {
  expect(iou([0, 0, 10, 10], [0, 0, 10, 10])).toBe(1);
  expect(iou([0, 0, 10, 10], [5, 0, 15, 10])).toBeCloseTo(1 / 3);
  expect(iou([0, 0, 10, 10], [10, 0, 20, 10])).toBe(0);
});
