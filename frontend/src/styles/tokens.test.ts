/** The contrast of colours by WCAG 2.2 (1.4.3: 4.5 for text; 1.4.11: 3 for parts), in both themes. */

import { describe, expect, test } from "vitest";
import PALETTE from "../../../console/static/console/palette.css?raw";
import TOKENS_CSS from "./tokens.css?raw";

/** Each token's colour by day and by night. */
const TOKENS = new Map(
  [...`${PALETTE}${TOKENS_CSS}`.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)].map((m) => [
    m[1],
    [m[2], m[3]],
  ]),
);

/** Relative luminance (WCAG's definition) of #rrggbb. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function colour(token: string, theme: number): string {
  const found = TOKENS.get(token)?.[theme];
  if (found === undefined) throw new Error(`no colour --${token}`);
  return found;
}

const GROUNDS = ["bg", "surface", "raised", "sunken"];
const WORDS: [string, string[]][] = [
  ["text", [...GROUNDS, "accent-soft", "good-soft", "bad-soft", "warn-soft"]],
  ["muted", GROUNDS],
  ["accent", [...GROUNDS, "accent-soft"]],
  ["good", [...GROUNDS, "good-soft"]],
  ["bad", [...GROUNDS, "bad-soft"]],
  ["warn", [...GROUNDS, "warn-soft"]],
  ["accent-text", ["accent", "accent-strong"]],
  ["mention-text", ["mention"]],
];
const PARTS: [string, string[]][] = [
  ["edge", ["bg", "surface", "raised"]],
  ["focus", GROUNDS],
  ["mention-line", ["surface", "raised"]],
];

describe.each([
  ["day", 0],
  ["night", 1],
])("by %s", (_name, theme) => {
  const pairs = (list: [string, string[]][]) => list.flatMap(([fore, back]) => back.map((b) => [fore, b]));

  test.each(pairs(WORDS))("--%s can be read on --%s", (fore = "", back = "") => {
    expect(contrast(colour(fore, theme), colour(back, theme))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(pairs(PARTS))("--%s can be seen on --%s", (fore = "", back = "") => {
    expect(contrast(colour(fore, theme), colour(back, theme))).toBeGreaterThanOrEqual(3);
  });
});

test("the contrast is WCAG's", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});
