import { describe, expect, test } from "vitest";
import { isCampaign, STAGES } from "../api/types";
import { caption, samplePage } from ".";

test.each([
  [
    "[A man] waves .",
    [
      ["A man", true],
      [" waves .", false],
    ],
  ],
  [
    "He waves at [a dog]",
    [
      ["He waves at ", false],
      ["a dog", true],
    ],
  ],
  ["no mark", [["no mark", false]]],
])("%s is cut at its mention", (written, pieces) => {
  expect(caption(2, written)).toEqual({
    index: 2,
    segments: pieces.map(([text, mention]) => ({ text, mention })),
  });
});

describe.each(STAGES)("the sample of %s", (stage) => {
  const page = samplePage(stage);

  test("has several items, counted from 1", () => {
    expect(page.stage).toBe(stage);
    expect(page.items.length).toBeGreaterThanOrEqual(3);
    expect(page.items.map(({ item }) => item)).toEqual(page.items.map((_, place) => place + 1));
  });

  test("marks one mention in every caption it asks about, or none where whole captions are meant", () => {
    const expected = { link: 2, writing: 0 }[stage as string] ?? 1;
    const marked = isCampaign(stage) ? 0 : 1;
    for (const { question } of page.items) {
      expect(question.captions.length).toBeGreaterThanOrEqual(expected);
      expect(question.correct).toBe(stage === "writing" ? null : undefined);
      for (const { segments } of question.captions)
        expect(segments.filter(({ mention }) => mention)).toHaveLength(marked);
    }
  });

  test("has boxes where the stage has some, inside the picture", () => {
    for (const { question } of page.items) {
      const { image, boxes, box, new_boxes } = question;
      expect(boxes !== undefined).toBe(["drawing", "quality", "coverage", "boxes", "check"].includes(stage));
      expect(box !== undefined).toBe(stage === "quality");
      expect(new_boxes !== undefined).toBe(stage === "check");
      for (const [left, top, right, bottom] of [
        ...(boxes ?? []),
        ...(box ? [box] : []),
        ...(new_boxes ?? []),
      ]) {
        expect(left).toBeGreaterThanOrEqual(0);
        expect(top).toBeGreaterThanOrEqual(0);
        expect(left).toBeLessThan(right);
        expect(top).toBeLessThan(bottom);
        expect(right).toBeLessThanOrEqual(image.width ?? 0);
        expect(bottom).toBeLessThanOrEqual(image.height ?? 0);
      }
    }
  });
});
