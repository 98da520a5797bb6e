import { beforeEach, expect, test, vi } from "vitest";
import { keep, recall } from "./device";

beforeEach(() => localStorage.clear());

test("what is kept comes back, also after a reload", () => {
  keep("theme", "dark");
  expect(recall("theme")).toBe("dark");
  expect(localStorage.getItem("groundcrew-theme")).toBe("dark");
});

test("another tab's choice counts", () => {
  keep("theme", "dark");
  localStorage.setItem("groundcrew-theme", "light");
  expect(recall("theme")).toBe("light");
});

test("what was never kept is null", () => {
  expect(recall("never")).toBeNull();
});

test("a choice holds where the device is full, over the one that was stored before", () => {
  keep("full", "old");
  const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("no room", "QuotaExceededError");
  });
  keep("full", "new");
  expect([recall("full"), localStorage.getItem("groundcrew-full")]).toEqual(["new", "old"]);
  full.mockRestore();
  keep("full", "newest");
  expect([recall("full"), localStorage.getItem("groundcrew-full")]).toEqual(["newest", "newest"]);
});

test("where nothing can be stored it holds until the page is closed", () => {
  const forbidden = () => {
    throw new DOMException("denied", "SecurityError");
  };
  vi.spyOn(Storage.prototype, "getItem").mockImplementation(forbidden);
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(forbidden);
  keep("frame", "yes");
  expect(recall("frame")).toBe("yes");
});
