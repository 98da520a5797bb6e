import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Answer } from "../api/types";
import * as drafts from "./draft";
import { page } from "./testing/page";

const YES = { same: true };
const blank = drafts.begin(page(3));

describe("a draft", () => {
  it.each([
    [-1, 0],
    [2, 2],
    [3, 3],
    [9, 3],
  ])("goes to place %d as %d", (wanted, place) => {
    expect(drafts.go(blank, wanted).place).toBe(place);
  });

  it("changes the entry shown, and none at the overview", () => {
    const second = drafts.change(drafts.go(blank, 1), { answer: YES });
    expect(second.entries.map(drafts.answered)).toEqual([false, true, false]);
    expect(drafts.change(drafts.go(second, 3), { answer: null }).entries).toEqual(second.entries);
    expect(blank.entries.some(drafts.answered)).toBe(false);
  });

  it("knows the first item without an answer", () => {
    const one = drafts.change(blank, { answer: YES });
    expect([drafts.firstOpen(blank), drafts.firstOpen(one)]).toEqual([0, 1]);
    const all = [0, 1, 2].reduce((d, n) => drafts.change(drafts.go(d, n), { answer: YES }), blank);
    expect(drafts.firstOpen(all)).toBe(-1);
  });

  it("knows how often one may still say that one cannot tell, the item shown included", () => {
    expect(drafts.unsureLeft(blank)).toBeUndefined();
    const few = drafts.begin({ ...page(3), unsure: 1 });
    const said = drafts.change(few, { answer: { unsure: true } });
    expect([few, said, drafts.go(said, 1)].map(drafts.unsureLeft)).toEqual([1, 1, 0]);
  });

  it("adds up time, and sends tenths of a second, a day at most", () => {
    const spent = drafts.spend(drafts.spend(drafts.change(blank, { answer: YES }), 1.23), 2);
    expect(drafts.replies(spent)).toEqual([
      { item: 1, answer: YES, seconds: 3.2, comment: "", chunk_flag: false },
    ]);
    expect(drafts.replies(drafts.spend(spent, 1e6))[0]?.seconds).toBe(86_400);
  });

  it.each([
    [{ box: [1, 2, 30, 40] }, "keys"],
    [{ box: null }, undefined],
    [{ boxes: [{ box: [1, 2, 30, 40] }] }, "keys"],
    [{ boxes: ["good"], missing: false }, undefined],
    [{ unusable: true }, undefined],
  ] as [Answer, unknown][])("says how boxes were drawn, if the answer has any: %j", (answer, sent) => {
    const drawn = drafts.change(blank, { answer, drawnBy: "keys" });
    expect(drafts.replies(drawn)[0]?.drawn_by).toBe(sent);
    // A box that was not confirmed is kept, and is no answer.
    const kept = drafts.change(drawn, { unconfirmed: true });
    expect([drafts.replies(kept).length, drafts.firstOpen(kept)]).toEqual([
      drafts.replies(drawn).length - 1,
      0,
    ]);
    expect(drafts.touched(kept.entries[0])).toBe(true);
  });

  it.each([
    ["a\0b", "ab"],
    ["half \ud83d pair", "half  pair"],
    ["whole 😀 pair", "whole 😀 pair"],
    ["😀".repeat(2001), "😀".repeat(2000)],
  ])("sends a comment the server can take", (comment, sent) => {
    expect(drafts.replies(drafts.change(blank, { answer: YES, comment }))[0]?.comment).toBe(sent);
  });

  it("keeps its answers with fresh picture links", () => {
    const answered = drafts.change(blank, { answer: YES });
    const again = drafts.refreshed(answered, page(3, "/fresh.png"));
    expect(again.entries).toEqual(answered.entries);
    expect(again.page.items[0]?.question.image.url).toBe("/fresh.png");
  });

  it("merges: the later word, and what only the earlier one says", () => {
    const earlier = drafts.change(drafts.go(drafts.change(blank, { answer: YES }), 1), { comment: "old" });
    const later = drafts.change(blank, { answer: { same: false } });
    const both = drafts.merged(later, earlier).entries;
    expect([both[0]?.answer, both[1]?.comment]).toEqual([{ same: false }, "old"]);
  });
});

describe("a stored draft", () => {
  it("comes back as it was", () => {
    const draft = drafts.go(drafts.change(blank, { answer: YES, marks: [[1, 2.5]], comment: "x" }), 3);
    expect(drafts.draftIn(structuredClone(draft))).toEqual(draft);
  });

  it.each([
    ["no entries", { ...blank, entries: undefined }],
    ["too few entries", { ...blank, entries: blank.entries.slice(1) }],
    ["another stage's answer", drafts.change(blank, { answer: { good: true } })],
    ["half a mark", { ...blank, entries: blank.entries.map((e) => ({ ...e, marks: [[1]] })) }],
    ["no page", { ...blank, page: null }],
    ["a page of no stage", { ...blank, page: { ...blank.page, stage: "sleeping" } }],
    ["a page without items", { ...blank, page: { ...blank.page, items: [] }, entries: [] }],
  ])("with %s is none", (_, value) => {
    expect(drafts.draftIn(value)).toBeNull();
  });

  it("of any shape never throws", () => {
    const near = fc.record({
      page: fc.oneof(fc.constant(blank.page), fc.anything()),
      entries: fc.anything(),
    });
    fc.assert(fc.property(fc.oneof(fc.anything(), near), (value) => drafts.draftIn(value) === null));
  });
});
