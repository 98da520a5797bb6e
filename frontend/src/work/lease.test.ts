import { describe, expect, it } from "vitest";
import { due, elapsed, left, stateOf, type Held } from "./lease";

const zero = { mono: 0, wall: 0 };
const at = (mono: number, wall = mono) => ({ mono: mono * 1000, wall: wall * 1000 });
const held: Held = { left: 900, at: zero, term: 900, lost: false };

it.each([
  ["both clocks agree", at(10), 10],
  ["a laptop slept: only the wall clock ran", at(10, 500), 500],
  ["somebody set the clock back", at(10, -500), 10],
  ["nothing passed", at(-1, -1), 0],
])("%s", (_, now, seconds) => {
  expect(elapsed(zero, now)).toBe(seconds);
});

describe("renewing", () => {
  it.each<[string, Held, number, number, boolean]>([
    ["not while there is time", held, 500, 500, false],
    ["in the last third", held, 601, 601, true],
    ["not for a worker who is away", held, 700, 579, false],
    ["for one who did something just now", held, 700, 581, true],
    ["also when it has run out", held, 1000, 1000, true],
    ["not when the server took it back", { ...held, lost: true }, 700, 700, false],
    ["at once when the term is not known", { ...held, term: null }, 1, 1, true],
  ])("%s", (_, lease, now, active, wanted) => {
    expect(due(lease, at(now), at(active))).toBe(wanted);
  });
});

describe("the state", () => {
  it.each<[Held | null, number, string]>([
    [null, 0, "unknown"],
    [held, 0, "held"],
    [held, 779, "held"],
    [held, 781, "soon"],
    [held, 900, "over"],
    [{ ...held, lost: true }, 0, "over"],
    [{ ...held, left: 60, term: 60 }, 30, "held"],
    [{ ...held, left: 60, term: 60 }, 46, "soon"],
  ])("%# after %d seconds is %s", (lease, now, state) => {
    expect(stateOf(lease, at(now))).toBe(state);
  });

  it("counts down, below zero when it is over", () => {
    expect([left(held, at(300)), left(held, at(1000)), left({ ...held, lost: true }, at(1))]).toEqual([
      600, -100, 0,
    ]);
  });
});
