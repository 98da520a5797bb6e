import { describe, expect, it } from "vitest";
import { begin, change, spend } from "./draft";
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

describe("taking one's own page again", () => {
  const mine: Record = { ...blank, changed: 6 };

  it("does not say again what was taken back", () => {
    expect(taken({ ...said, owner: "here" }, mine).draft.entries[0]?.answer).toBeNull();
  });

  it("keeps time that was added without anything said", () => {
    const draft = spend(said.draft, 5);
    const now = taken({ ...said, owner: "here" }, { ...said, owner: "here", draft });
    expect(now.draft.entries[0]?.seconds).toBe(5);
  });

  it("does not put older words over newer ones", () => {
    expect(taken({ ...said, owner: "here" }, blank).draft.entries).toEqual(said.draft.entries);
  });
});

describe("writing a page", () => {
  it.each<[string, Record | null, boolean]>([
    ["is not done where it is gone", null, false],
    ["is done where it is ours", { ...blank, problems: [[0, "old"]] }, true],
    ["is refused where more was said since", { ...said, owner: "here" }, false],
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
