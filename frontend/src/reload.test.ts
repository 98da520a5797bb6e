import { afterEach, beforeEach, expect, test, vi } from "vitest";

let asked: ReturnType<typeof vi.fn>;

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  sessionStorage.clear();
  asked = vi.fn(() => Promise.resolve({ ok: false }));
  vi.stubGlobal("fetch", asked);
  document.head.innerHTML = '<link rel="stylesheet" />';
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Runs the script, and lets the style sheet come or not before everything has loaded. */
async function load(rules: number | null): Promise<void> {
  // As a text, since the script exports nothing and so is no module to the compiler.
  await import("./reload" as string);
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked, "a style sheet that has not come yet is not missing").not.toHaveBeenCalled();
  const sheet = rules === null ? null : { cssRules: { length: rules } };
  Object.defineProperty(document.querySelector("link"), "sheet", { value: sheet });
  dispatchEvent(new Event("load"));
  await vi.advanceTimersByTimeAsync(1000);
}

test("A style sheet that comes after the script loads nothing again", async () => {
  await load(3);
  expect(asked).not.toHaveBeenCalled();
});

test.each([null, 0])("A style sheet without rules (%s) loads the page again", async (rules) => {
  await load(rules);
  expect(asked).toHaveBeenCalled();
});

test.each([
  ["without anything on it", "", true],
  ["that has come", "<main></main>", false],
])("A page %s says after a while what it may lack: %s", async (_, app, told) => {
  document.body.innerHTML = `<div id="unloaded" hidden></div><div id="app">${app}</div>`;
  await load(3);
  const hidden = (): boolean => document.getElementById("unloaded")?.hasAttribute("hidden") ?? false;
  expect(hidden()).toBe(true);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(hidden()).toBe(!told);
});
