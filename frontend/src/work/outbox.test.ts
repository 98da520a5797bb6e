import { describe, expect, it } from "vitest";
import type { Failure } from "../api/result";
import { begin, change, go } from "./draft";
import { afterwards } from "./outbox";
import { fresh, type Record } from "./record";
import { page } from "./testing/page";

const YES = { answer: { same: true } };
const draft = change(go(change(begin(page(2)), YES), 1), YES);
const record: Record = { ...fresh("ada", draft, "here"), state: "waiting", changed: 3 };
const failed = (kind: "offline" | "unauthorised" | "refused" | "gone" | "over"): Failure => ({
  ...{ ok: false, detail: "so it is" },
  kind,
});

describe("a submission that was not taken", () => {
  it.each(["offline", "unauthorised", "refused"] as const)("%s: waits", (kind) => {
    expect(afterwards(record, failed(kind))).toBeNull();
  });

  it("busy: waits", () => {
    expect(afterwards(record, { ok: false, kind: "busy", detail: "", retryAfter: 2 })).toBeNull();
  });

  it.each(["gone", "over"] as const)("%s: is set aside with its answers", (kind) => {
    expect(afterwards(record, failed(kind))).toMatchObject({
      ...{ state: "aside", problems: [[2, "so it is"]] },
      draft: { entries: draft.entries },
    });
  });

  it.each<[string, [string, string][], [number, string][]]>([
    ["an item's", [["/answers/1/answer/same", "bad"]], [[1, "bad"]]],
    [
      "two of one item",
      [
        ["/answers/0/answer", "a"],
        ["/answers/0/comment", "b"],
      ],
      [[0, "a b"]],
    ],
    ["the page's", [["/answers", "items without an answer"]], [[2, "items without an answer"]]],
    ["an unknown item's", [["/answers/7/answer", "bad"]], [[2, "bad"]]],
    ["none named", [], [[2, "so it is"]]],
  ])("invalid, %s: is a draft again", (_, errors, problems) => {
    const all = errors.map(([pointer, detail]) => ({ pointer, detail }));
    expect(afterwards(record, { ok: false, kind: "invalid", detail: "so it is", errors: all })).toMatchObject(
      {
        ...{ state: "draft", problems },
        draft: { place: problems[0]?.[0], entries: draft.entries },
      },
    );
  });
});
