import { expect, test, vi } from "vitest";
import { STAGES } from "../api/types";
import { Sample } from "./sample.svelte";

test.each(STAGES)("a sample of %s is worked through, and again", async (stage) => {
  const call = vi.spyOn(globalThis, "fetch");
  const sample = new Sample(stage);
  const { items } = sample.draft.page;
  items.forEach((_, place) => {
    sample.go(place);
    sample.change({ answer: { same: true }, comment: "seen" });
  });
  expect(sample.draft.entries.every(({ comment }) => comment === "seen")).toBe(true);

  await sample.submit();
  expect(sample.phase).toMatchObject({ kind: "done", receipt: { accepted: items.length, reward: null } });
  expect(call).not.toHaveBeenCalled();
  expect(localStorage.length).toBe(0);

  await sample.next();
  expect(sample.phase).toEqual({ kind: "working" });
  expect(sample.draft.place).toBe(0);
  expect(sample.draft.entries.every(({ answer }) => answer === null)).toBe(true);
});
