import { describe, expect, test } from "vitest";
import { clock, standing, type State } from "./status";

const FINE: State = { kept: "saved", online: true, waiting: 0, leaseLeft: 800 };

describe("the most pressing thing is said", () => {
  test.each<[Partial<State>, object]>([
    [{}, { kind: "saved", tone: "fine" }],
    [{ kept: "saving" }, { kind: "saving", tone: "fine" }],
    [{ leaseLeft: null }, { kind: "saved", tone: "fine" }],
    [{ kept: "memory" }, { kind: "memory", tone: "warning" }],
    [{ leaseLeft: 120 }, { kind: "saved", tone: "fine" }],
    [{ leaseLeft: 90.2 }, { kind: "lease", tone: "warning", left: "1:31" }],
    [
      { leaseLeft: 90, kept: "memory" },
      { kind: "lease", tone: "warning", left: "1:30" },
    ],
    [
      { online: false, waiting: 2 },
      { kind: "offline", tone: "warning", waiting: 2 },
    ],
    [
      { online: false, leaseLeft: 60 },
      { kind: "offline", tone: "warning", waiting: 0 },
    ],
    [
      { online: false, leaseLeft: -1 },
      { kind: "over", tone: "warning" },
    ],
    [{ leaseLeft: 0 }, { kind: "over", tone: "warning" }],
  ])("%o", (change, said) => {
    expect(standing({ ...FINE, ...change })).toEqual(said);
  });
});

test.each([
  [0, "0:00"],
  [-5, "0:00"],
  [59.1, "1:00"],
  [61, "1:01"],
  [600, "10:00"],
])("%d seconds are %s", (seconds, words) => {
  expect(clock(seconds)).toBe(words);
});
