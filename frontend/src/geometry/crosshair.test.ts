import { describe, expect, test } from "vitest";
import { centred, pushed, type Crosshair, type Ground, type Push } from "./crosshair";
import { imageSize, screenSize } from "./units";
import { fit } from "./view";

const ground = (width: number, height: number, across: number, down: number): Ground => {
  const [image, screen] = [imageSize(width, height), screenSize(across, down)];
  return { image, screen, view: fit(image, screen) };
};
/** A photograph of 12 megapixels in a window of 1280 × 800. */
const DESK = ground(4000, 3000, 900, 624);
const RIGHT = [1, 0] as const;
const LEFT = [-1, 0] as const;

function go(from: Crosshair, way: Push["way"], more: Partial<Push> = {}): Crosshair {
  const now = Number.isFinite(from.when) ? from.when + 100 : 0;
  return pushed(from, { way, fine: false, held: false, now, ...more }, DESK);
}
const moved = (before: Crosshair, after: Crosshair): number => (after.at.x - before.at.x) * DESK.view.scale;

describe("a step", () => {
  test("is longer after each press, up to a quarter of the surface, and short again after a pause", () => {
    let now = centred(DESK);
    const steps: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      const next = go(now, RIGHT);
      steps.push(moved(now, next));
      now = next;
    }
    expect(steps.map(Math.round)).toEqual([16, 32, 64, 128]);
    expect(Math.round(moved(now, go(now, RIGHT, { now: now.when + 2000 })))).toBe(16);
    expect(Math.round(moved(now, go(now, [0, 1])))).toBe(0);
  });

  test("back is a third of the one that went too far", () => {
    const there = go(go(go(centred(DESK), RIGHT), RIGHT), RIGHT);
    expect(Math.round(moved(there, go(there, LEFT)))).toBe(Math.round(-64 / 3));
  });

  test("of a held key stays short enough to stop in time", () => {
    let now = go(centred(DESK), RIGHT);
    for (let n = 0; n < 20; n += 1) {
      const next = go(now, RIGHT, { held: true });
      expect(moved(now, next)).toBeLessThanOrEqual(16.001);
      now = next;
    }
  });

  test("is fine with Shift: one screen pixel, or one of the image", () => {
    const here = centred(DESK);
    expect(moved(here, go(here, RIGHT, { fine: true }))).toBeCloseTo(1);
    const close = { ...DESK, view: { ...DESK.view, scale: 5 } };
    const push = { way: RIGHT, fine: true, held: false, now: 0 };
    expect(pushed(here, push, close).at.x - here.at.x).toBeCloseTo(1);
  });

  test("ends at the edge of the image", () => {
    let now = centred(DESK);
    for (let n = 0; n < 30; n += 1) now = go(now, RIGHT);
    expect(now.at.x).toBe(4000);
  });
});

/** Random numbers that are the same each time. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Nearer than this, in screen pixels, the person holds Shift. */
const FINELY = 50;
/** By how many repetitions of a key, a thirtieth of a second each, the person stops too late or too early. */
const REACTION = 3;

/** Somebody who sees the crosshair and lets keys go a little too late or too early. Presses are counted. */
class Person {
  presses = 0;
  at = centred(DESK);
  #now = 0;

  constructor(readonly random: () => number) {}

  /** Moves along one axis until the place is at most `tolerance` screen pixels away. */
  reach(axis: "x" | "y", place: number, tolerance: number): void {
    for (;;) {
      const left = (place - this.at.at[axis]) * DESK.view.scale;
      if (Math.abs(left) <= tolerance) return;
      this.presses += 1;
      const ahead = Math.sign(left);
      const way = axis === "x" ? ([ahead, 0] as const) : ([0, ahead] as const);
      const fine = Math.abs(left) < FINELY;
      this.#push(way, fine, false, 300);
      const late = Math.round((this.random() - 0.5) * 2 * (fine ? 1 : REACTION));
      // The key is held until the place is so many repetitions away, or was so many before.
      for (let repeats = 0; repeats < 300; repeats += 1) {
        const rest = (place - this.at.at[axis]) * DESK.view.scale * ahead;
        if (rest <= -late * this.at.step) break;
        this.#push(way, fine, true, repeats === 0 ? 500 : 33);
      }
    }
  }

  enter(): void {
    this.presses += 1;
  }

  #push(way: readonly [number, number], fine: boolean, held: boolean, after: number): void {
    this.#now += after;
    this.at = pushed(this.at, { way, fine, held, now: this.#now }, DESK);
  }
}

/** The IoU that is lost if each edge is off by this share of its side is less than a fifth. */
const TOLERANCE = 0.04;

test.each(["corners", "extremes"])("a box by %s takes fewer than 20 presses, whatever the thing", (how) => {
  const random = dice(7);
  const counts = Array.from({ length: 300 }, () => {
    const person = new Person(random);
    const [width, height] = [300 + random() * 2000, 300 + random() * 1500];
    const [left, top] = [random() * (4000 - width), random() * (3000 - height)];
    const [right, bottom] = [left + width, top + height];
    const { scale } = DESK.view;
    const [across, down] = [width * scale * TOLERANCE, height * scale * TOLERANCE];
    if (how === "corners") {
      person.reach("x", left, across);
      person.reach("y", top, down);
      person.enter();
      person.reach("x", right, across);
      person.reach("y", bottom, down);
      person.enter();
    } else {
      // The highest point is anywhere between left and right.
      person.reach("x", (left + right) / 2, (width * scale) / 2);
      person.reach("y", top, down);
      person.enter();
      person.reach("y", bottom, down);
      person.enter();
      person.reach("x", left, across);
      person.enter();
      person.reach("x", right, across);
      person.enter();
    }
    person.enter(); // confirms it
    return person.presses;
  });
  counts.sort((a, b) => a - b);
  expect(counts.at(-1)).toBeLessThan(20);
});
