import { render, screen } from "@testing-library/svelte";
import { afterEach, expect, test } from "vitest";
import type { OwnInstructions } from "../api/types";
import { speak } from "../texts/index.svelte";
import Instructions from "./Instructions.svelte";
import { blocksOf, drawnIn, spoken } from "./own";

const OWN: OwnInstructions = {
  id: 9,
  version: 2,
  texts: { en: "Look for <b>birds</b>.\n\n- Wings too\n- And tails" },
  usual_examples: false,
  examples: [
    {
      image: { url: "/media/x", width: 200, height: 100 },
      view: [0, 0, 100, 50],
      boxes: [[10, 10, 40, 40]],
      good: false,
      words: ["a bird"],
      why: { de: "Ein Flügel fehlt." },
    },
  ],
};

afterEach(() => speak("en"));

test("a language that is missing shows the other one", () => {
  expect(spoken({ de: "Hier" }, "en")).toEqual({ text: "Hier", language: "de" });
  expect(spoken({ de: "Hier", en: "Here" }, "en")).toEqual({ text: "Here", language: "en" });
  expect(spoken({}, "de")).toBeNull();
});

test("an empty line begins a new paragraph, and lines that begin with - are lists", () => {
  expect(blocksOf("One\ntwo\n\n\nthree\n- a\n* b\n-c")).toEqual([
    { kind: "paragraph", lines: ["One", "two"] },
    { kind: "paragraph", lines: ["three"] },
    { kind: "list", lines: ["a", "b"] },
    { kind: "paragraph", lines: ["-c"] },
  ]);
  expect(blocksOf(" \n")).toEqual([]);
});

test("the box of drawing and quality is the new one", () => {
  const example = { view: [0, 0, 9, 9], boxes: [[1, 1, 4, 4]] } as const;
  const { view, boxes } = structuredClone(example) as unknown as OwnInstructions["examples"][number];
  expect(drawnIn("quality", { view, boxes }).box).toEqual([1, 1, 4, 4]);
  expect(drawnIn("coverage", { view, boxes })).toEqual({ view, boxes });
});

test("own instructions are shown in place of the built-in ones, and never as HTML", async () => {
  await speak("de");
  render(Instructions, { props: { stage: "quality", method: "drag", own: OWN } });
  expect((await screen.findByText("Look for <b>birds</b>.")).closest("[lang]")?.getAttribute("lang")).toBe(
    "en",
  );
  expect([...document.querySelectorAll(".own li")].map((li) => li.textContent)).toEqual([
    "Wings too",
    "And tails",
  ]);
  const figures = [...document.querySelectorAll("figure")].map((figure) => figure.textContent);
  expect(figures).toHaveLength(1);
  for (const said of ["Schlecht", "a bird", "Ein Flügel fehlt."]) expect(figures[0]).toContain(said);
  expect(document.querySelector("image")?.getAttribute("href")).toBe("/media/x");
});

test("what is not replaced stays built in", async () => {
  const own = { ...OWN, texts: {}, usual_examples: true, examples: [] };
  render(Instructions, { props: { stage: "quality", method: "drag", own } });
  expect(await screen.findByText(/Somebody drew a new box/)).toBeTruthy();
  expect(document.querySelectorAll("figure").length).toBeGreaterThan(2);
});
