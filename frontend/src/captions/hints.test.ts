import { expect, test } from "vitest";
import { hintsFor, refusalOf, type Hint } from "./hints";

test.each<[string, string, Hint[]]>([
  ["A man in a red coat rides a horse .", "en", []],
  ["", "en", []],
  ["A horse .", "en", ["short"]],
  ["A man called Peter rides a horse .", "en", ["name"]],
  ["A man rides past the Eiffel Tower .", "en", ["name"]],
  ["A man rides. A dog follows him .", "en", []],
  ["A man is probably late for work .", "en", ["guess"]],
  ["A woman who seems happy waves .", "en", ["guess"]],
  ["A picture of a dog on a rug .", "en", ["image"]],
  ["A black and white photograph of a horse .", "en", ["image"]],
  ["In this picture a man rides a bike .", "en", ["image"]],
  ["A man takes a picture of a woman .", "en", []],
  ["Ein Mann reitet auf einem Pferd .", "de", []],
  ["Ein Mann kommt vermutlich zu spät .", "de", ["guess"]],
  ["Un homme est probably à cheval .", "fr", []],
])("%s (%s)", (caption, language, hints) => {
  expect(hintsFor(caption, language, [])).toEqual(hints);
});

test("a caption that was written before is told, whatever its marks and capitals", () => {
  expect(hintsFor("A dog runs on grass", "en", ["a dog runs on Grass ."])).toContain("again");
});

test("the third caption that begins like others is told, and only the last ten count", () => {
  const alike = ["there is a dog on grass", "there is a man with a hat", "there is a boat at sea"];
  expect(hintsFor("There is a horse in a park", "en", alike.slice(0, 2))).toEqual([]);
  expect(hintsFor("There is a horse in a park", "en", alike)).toEqual(["opening"]);
  const others = Array.from({ length: 10 }, (_, n) => `dog number ${n} runs on grass`);
  expect(hintsFor("There is a horse in a park", "en", [...alike, ...others])).toEqual([]);
});

test.each([
  ["A dog runs fast", null],
  ["A dog runs", "short"],
  ["... !", "short"],
  ["Ein Hund läuft schnell", null],
  ["a dog, runs on Grass .", "again"],
  ["It is a dog's rug", "again"],
])("%s is refused: %s", (caption, why) => {
  expect(refusalOf(caption, ["A dog runs on grass", "It is a dog’s rug."])).toBe(why);
});
