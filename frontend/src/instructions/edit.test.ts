import { expect, test } from "vitest";
import guide from "../texts/en/instructions";
import { blocksOf } from "../stages/own";
import { builtIn, exampleOf, moved, phrasesIn, sent, viewOf } from "./edit";
import { readEditor, readPreview } from "./setup";

const photo = { id: "7", url: "/a", width: 200, height: 100, name: "a.jpg" };

test("an example shows what was cut out, and never less than its boxes", () => {
  expect(viewOf(photo, null, [[5, 5, 9, 9]], 24)).toEqual([0, 0, 200, 100]);
  expect(viewOf(photo, [50, 20, 100, 60], [], 24)).toEqual([50, 20, 100, 60]);
  expect(viewOf(photo, [50, 20, 100, 60], [[40, 30, 90, 80]], 24)).toEqual([40, 20, 100, 80]);
});

test("a part that is too small is widened within the photograph", () => {
  expect(viewOf(photo, [195, 95, 200, 100], [], 24)).toEqual([176, 76, 200, 100]);
  expect(viewOf(photo, [0, 0, 3, 50], [], 24)).toEqual([0, 0, 24, 50]);
});

test("phrases are separated by commas", () => {
  expect(phrasesIn(" a man, a red hat ,, ")).toEqual(["a man", "a red hat"]);
});

test("examples change places, and stay at the ends", () => {
  expect(moved(["a", "b", "c"], 2, -1)).toEqual(["a", "c", "b"]);
  expect(moved(["a", "b"], 0, -1)).toEqual(["a", "b"]);
  expect(moved(["a", "b"], 1, 1)).toEqual(["a", "b"]);
});

test("the built-in text can be typed as it is shown", () => {
  const { aim, rules } = guide.stages.quality;
  expect(blocksOf(builtIn({ stage: guide.stages.quality }))).toEqual([
    { kind: "paragraph", lines: [aim] },
    { kind: "list", lines: rules },
  ]);
});

test("images are sent by their numbers", () => {
  const content = { texts: { en: "x" }, usual_examples: true, examples: [exampleOf(photo)] };
  expect(sent(content)).toMatchObject({ examples: [{ image: 7, view: [0, 0, 200, 100], good: true }] });
});

test("what is no setup is not read", () => {
  expect(readEditor("{}")).toBeNull();
  expect(readEditor("<html>")).toBeNull();
  expect(readPreview('{"stage": "link", "questions": [], "instructions": null}')).not.toBeNull();
});
