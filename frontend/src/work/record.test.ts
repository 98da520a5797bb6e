import { describe, expect, it } from "vitest";
import { begin, change } from "./draft";
import { fresh, recordIn, saved, taken, type Record } from "./record";
import { page } from "./testing/page";

const blank = fresh("ada", begin(page(2)), "here");
const said: Record = {
  ...blank,
  owner: "there",
  changed: 5,
  draft: change(blank.draft, { answer: { same: true } }),
};

describe("taking a page", () => {
  it("keeps what was said of it in another tab", () => {
    const now = taken(said, { ...blank, draft: begin(page(2, "/fresh.png")) });
    expect([now.owner, now.changed, now.draft.entries]).toEqual(["here", 5, said.draft.entries]);
    expect(now.draft.page.items[0]?.question.image.url).toBe("/fresh.png");
  });

  it("leaves a submission on its way alone", () => {
    const waiting: Record = { ...said, state: "waiting" };
    expect(taken(waiting, blank)).toBe(waiting);
  });

  it("makes a page that was set aside a draft again", () => {
    expect(taken({ ...said, state: "aside" }, blank).state).toBe("draft");
  });
});

describe("writing a page", () => {
  it.each<[string, Record | null, boolean]>([
    ["is done where nothing is", null, true],
    ["is done where it is ours", { ...said, owner: "here" }, true],
    ["is refused where it is another tab's", said, false],
    ["is refused where it is on its way", { ...said, owner: "here", state: "waiting" }, false],
  ])("%s", (_, old, written) => {
    expect(saved(old, blank) === blank).toBe(written);
  });
});

it.each([
  ["another version", { ...said, version: 2 }],
  ["no worker", { ...said, subject: undefined }],
  ["another state", { ...said, state: "lost" }],
  ["strange problems", { ...said, problems: ["x"] }],
  ["no draft", { ...said, draft: {} }],
  ["nothing", undefined],
])("a stored record with %s is none", (_, value) => {
  expect(recordIn(said)).toEqual(said);
  expect(recordIn(value)).toBeNull();
});
