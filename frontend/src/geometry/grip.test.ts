import fc from "fast-check";
import { expect, test } from "vitest";
import { CURSORS, REACH, gripAt, type Grip } from "./grip";
import { onScreen } from "./units";

const rect = { x: 100, y: 100, width: 200, height: 100 };

test.each<[string, number, number, Grip]>([
  ["a corner", 100, 100, "nw"],
  ["beside a corner", 307, 207, "se"],
  ["beyond reach of a corner", 309, 209, null],
  ["inwards of a corner", 107, 193, "sw"],
  ["anywhere along an edge", 160, 104, "n"],
  ["outside along an edge", 305, 150, "e"],
  ["inside", 150, 150, "inside"],
  ["just out of an edge's reach", 150, 109, "inside"],
  ["far away", 500, 500, null],
])("a mouse at %s", (_where, x, y, grip) => {
  expect(gripAt(rect, onScreen(x, y), REACH.mouse)).toBe(grip);
});

test("a finger reaches farther", () => {
  expect(gripAt(rect, onScreen(320, 150), REACH.mouse)).toBeNull();
  expect(gripAt(rect, onScreen(320, 150), REACH.touch)).toBe("e");
});

test("the middle of the smallest box still moves it, and each corner is its own", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1, max: 60, noNaN: true }),
      fc.double({ min: 1, max: 60, noNaN: true }),
      fc.constantFrom(REACH.mouse, REACH.touch),
      (width, height, reach) => {
        const small = { x: 50, y: 50, width, height };
        expect(gripAt(small, onScreen(50 + width / 2, 50 + height / 2), reach)).toBe("inside");
        expect(gripAt(small, onScreen(50, 50), reach)).toBe("nw");
        expect(gripAt(small, onScreen(50 + width, 50 + height), reach)).toBe("se");
        expect(gripAt(small, onScreen(50 + width, 50), reach)).toBe("ne");
        expect(gripAt(small, onScreen(50, 50 + height), reach)).toBe("sw");
      },
    ),
  );
});

test("the middle half of a small box moves it, and a finger beside it still changes it", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1, max: 80, noNaN: true }),
      fc.double({ min: 1, max: 80, noNaN: true }),
      fc.double({ min: -0.24, max: 0.24, noNaN: true }),
      fc.double({ min: -0.24, max: 0.24, noNaN: true }),
      (width, height, x, y) => {
        const small = { x: 50, y: 50, width, height };
        const at = onScreen(50 + width * (0.5 + x), 50 + height * (0.5 + y));
        expect(gripAt(small, at, REACH.touch)).toBe("inside");
        expect(gripAt(small, onScreen(50 - 20, 50 - 20), REACH.touch)).toBe("nw");
        expect(gripAt(small, onScreen(50 + width + 20, 50 + height / 2), REACH.touch)).toBe("e");
      },
    ),
  );
});

test("opposite handles have the same cursor", () => {
  expect(CURSORS.nw).toBe(CURSORS.se);
  expect(CURSORS.ne).toBe(CURSORS.sw);
  expect(CURSORS.n).toBe(CURSORS.s);
});
