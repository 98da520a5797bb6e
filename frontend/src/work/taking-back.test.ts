import "fake-indexeddb/auto";
import { afterEach, expect, it, vi } from "vitest";
import { settle, World } from "./testing/world";

afterEach(() => vi.unstubAllGlobals());

it.each(["with a database", "in memory only"])("what was said can be taken back, %s", async (where) => {
  if (where === "in memory only") vi.stubGlobal("indexedDB", undefined);
  const { work } = await new World().open();
  work.change({ answer: { same: true }, chunkFlag: true, comment: "dark" });
  await settle();
  expect(work.kept).toBe(where === "in memory only" ? "memory" : "saved");
  work.change({ answer: null, chunkFlag: false, comment: "" });
  await settle();
  work.go(1);
  await settle();
  expect(work.draft?.entries[0]).toMatchObject({ answer: null, chunkFlag: false, comment: "" });
});
