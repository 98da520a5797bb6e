import { expect, test } from "vitest";
import type { Caption } from "../api/types";
import { mentionsOf } from "./mentions";

/** Puts stars round what is marked. */
const caption = (words: string, index: number): Caption => ({
  index,
  segments: words.split("*").map((text, at) => ({ text, mention: at % 2 === 1 })),
});

test.each([
  [["*A man* walks a dog .", "*Somebody* with a dog ."], "A man · Somebody"],
  [["*A man* walks .", "*A man* runs ."], "A man"],
  [["*A boy* and *a girl* run ."], "A boy … a girl"],
  [["Nobody is marked ."], "Nobody is marked ."],
  [["Nobody is marked .", "Nor is anybody in this one ."], "Nobody is marked . · Nor is anybody in this …"],
  [[], ""],
])("%o is about %s", (captions, words) => {
  expect(mentionsOf({ captions: captions.map(caption) })).toBe(words);
});

test.each([
  [[true, false, true], "A man walks a dog on a leash . · It rains ."],
  [[false, false, false], "A man walks a dog … · Two boats . · It rains ."],
])("of captions that are ticked %o it says %s", (describes, words) => {
  const captions = ["A man walks a dog on a leash .", "Two boats .", "It rains ."].map(caption);
  expect(mentionsOf({ captions }, { describes })).toBe(words);
});
