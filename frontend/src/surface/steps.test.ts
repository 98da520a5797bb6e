import { expect, test, vi } from "vitest";
import { Steps } from "./steps.svelte";

test("steps are undone and done again, and each time the parent is told what to show", () => {
  const show = vi.fn();
  const steps = new Steps<string>("", show);
  expect([steps.undo(), steps.redo(), steps.canUndo, steps.canRedo]).toEqual([false, false, false, false]);
  steps.add("a");
  steps.add("ab");
  expect(show).not.toHaveBeenCalled();
  expect([steps.undo(), steps.undo(), steps.undo()]).toEqual([true, true, false]);
  expect([steps.canUndo, steps.canRedo]).toEqual([false, true]);
  expect(steps.redo()).toBe(true);
  expect(show.mock.calls.flat()).toEqual(["a", "", "a"]);
  steps.add("ac");
  expect(steps.canRedo).toBe(false);
});
