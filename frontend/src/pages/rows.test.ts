import { describe, expect, test } from "vitest";
import { PAPER, type Me, type Standing } from "../api/types";
import { NOTHING_DONE } from "../crowd/place";
import { samplePage } from "../sample";
import { begin, change } from "../work/draft";
import { mood, rowsOf, stageAt, type Kept } from "./rows";

function me(of: (at: number) => Partial<Standing>): Me {
  return {
    worker: "w",
    project: "p",
    contact: "",
    earned: [],
    stages: PAPER.map((stage, at) => ({ ...NOTHING_DONE, stage, standing: "open", ...of(at) })),
    weeks: [],
    captions: null,
  };
}

const NOW = Date.parse("2026-03-01T12:00:00Z");
const fresh = begin(samplePage("quality"));
const begun: Kept = { state: "draft", draft: change(fresh, { answer: { good: true } }) };

describe("rows", () => {
  test("there is one for each of the paper's stages before the server has said anything", () => {
    expect(rowsOf(null, [], NOW).map(({ stage, key, standing }) => [stage, key, standing])).toEqual(
      PAPER.map((stage, at) => [stage, String(at + 1), null]),
    );
  });

  test("the server names the stages, and a page in hand stays where one can go on with it", () => {
    const all = me(() => ({}));
    const named = (["link", "boxes", "check"] as const).map((stage) => ({ ...all.stages[0], stage }));
    const said = { ...all, stages: named } as Me;
    expect(rowsOf(said, [], NOW).map(({ stage, key }) => [stage, key])).toEqual([
      ["link", "1"],
      ["boxes", "2"],
      ["check", "3"],
    ]);
    expect(rowsOf(said, [begun], NOW).map(({ stage }) => stage)).toEqual([
      "link",
      "quality",
      "boxes",
      "check",
    ]);
    expect(stageAt("2", rowsOf(said, [], NOW))).toBe("boxes");
  });

  test("a page in hand is told at its stage", () => {
    const [begunAt] = rowsOf(null, [begun], NOW).filter(({ draft }) => draft);
    expect(begunAt).toMatchObject({ stage: "quality", draft: { answered: 1, items: 4 }, unsent: 0 });
  });

  test.each([
    ["2026-03-01T12:00:01+00:00", false],
    ["2026-03-01T12:00:00+00:00", true],
  ])("the time of a page that is held until %s is over: %s", (expires_at, over) => {
    const kept = { ...begun, draft: { ...begun.draft, page: { ...begun.draft.page, expires_at } } };
    expect(rowsOf(null, [kept], NOW).find(({ draft }) => draft)?.draft?.over).toBe(over);
  });

  test.each<[Kept, boolean, number]>([
    [{ state: "draft", draft: fresh }, true, 0],
    [{ ...begun, state: "waiting" }, false, 1],
    [{ ...begun, state: "aside" }, false, 0],
  ])("%#: a page in hand is one thing, and one that is sent another", (kept, draft, unsent) => {
    const row = rowsOf(null, [kept], NOW).find(({ stage }) => stage === "quality");
    expect([row?.draft !== null, row?.unsent]).toEqual([draft, unsent]);
  });
});

test.each([
  ["1", "link"],
  ["6", "coverage"],
  ["0", null],
  ["7", null],
  ["a", null],
  ["", null],
  ["12", null],
])("the key %s is %s", (key, stage) => {
  expect(stageAt(key, rowsOf(null, [], NOW))).toBe(stage);
});

describe("mood", () => {
  const waiting = me((at) => ({ waiting: at === 2 }));
  const closed = me(() => ({ standing: "blocked", waiting: true }));
  const closedWhereWorkIs = me((at) => (at === 2 ? { standing: "blocked", waiting: true } : {}));
  test.each([
    [null, [], null],
    [waiting, [], null],
    [me(() => ({})), [], "empty"],
    [me(() => ({})), [begun], null],
    [closed, [], "closed"],
    [closedWhereWorkIs, [], "empty"],
    [me((at) => (at === 2 ? { standing: "test" } : {})), [], null],
    [me((at) => (at === 2 ? { standing: "waiting", retry_in: 60, waiting: true } : {})), [], "empty"],
  ])("%#", (said, kept, expected) => {
    expect(mood(rowsOf(said, kept, NOW))).toBe(expected);
  });
});
