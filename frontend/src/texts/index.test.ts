import { beforeEach, expect, test, vi } from "vitest";

type Texts = typeof import("./index.svelte");
let texts: Texts;

beforeEach(async () => {
  vi.resetModules();
  texts = await import("./index.svelte");
});

test.each([
  [["de-AT", "en"], "de"],
  [["EN-us"], "en"],
  [["it", "de"], "de"],
  [["it"], "en"],
  [["zh-Hans-CN"], "zh"],
  [["constructor", "de"], "de"],
  [[], "en"],
])("who wants %o gets %s", (wanted, language) => {
  expect(texts.preferred(wanted)).toBe(language);
});

test("the document says its language", async () => {
  await texts.speak("de");
  expect(document.documentElement.lang).toBe("de");
  expect(texts.text().pages.close).toBe("Schließen");
});

test("the rest is there once it was read, and not before", async () => {
  expect(() => texts.rest()).toThrow();
  await texts.readRest();
  expect(texts.rest().settings.language).toBe("Language");
});

test.each(["speak first", "read first", "both at once"])(
  "the rest follows the language: %s",
  async (order) => {
    const steps = [() => texts.speak("de"), () => texts.readRest()];
    if (order === "read first") steps.reverse();
    if (order === "both at once") await Promise.all(steps.map((step) => step()));
    else for (const step of steps) await step();
    expect(texts.rest().settings.language).toBe("Sprache");
    await texts.speak("en");
    expect(texts.rest().settings.language).toBe("Language");
  },
);
