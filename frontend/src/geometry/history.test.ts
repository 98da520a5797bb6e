import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_STEPS, begin, record, redo, undo, type History } from "./history";

test("there and back again", () => {
  const three = record(record(begin("a"), "b"), "c");
  expect(undo(three).present).toBe("b");
  expect(undo(undo(three)).present).toBe("a");
  expect(redo(undo(three))).toEqual(three);
});

test("with nothing to undo or redo it is the same history", () => {
  const only = begin("a");
  expect(undo(only)).toBe(only);
  expect(redo(only)).toBe(only);
});

test("a new state forgets what was undone", () => {
  expect(record(undo(record(begin("a"), "b")), "c")).toEqual({ past: ["a"], present: "c", future: [] });
});

test("the oldest are forgotten", () => {
  let history: History<number> = begin(0);
  for (let n = 1; n <= MAX_STEPS + 20; n += 1) history = record(history, n);
  for (let n = 0; n < MAX_STEPS + 20; n += 1) history = undo(history);
  expect(history.present).toBe(20);
});

test("as many redos as undos come to the same state", () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 40 }), fc.nat({ max: 50 }), (states, steps) => {
      const end = states.reduce((history: History<number>, n) => record(history, n), begin(-1));
      let history = end;
      let taken = 0;
      while (taken < steps && history.past.length > 0) {
        history = undo(history);
        taken += 1;
      }
      for (; taken > 0; taken -= 1) history = redo(history);
      expect(history).toEqual(end);
    }),
  );
});
