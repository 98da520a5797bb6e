import { describe, expect, it } from "vitest";
import de from "../texts/de/work";
import en from "../texts/en/work";
import { statusLine, type Seen } from "./status";

const well: Seen = {
  phase: { kind: "working" },
  online: true,
  kept: "saved",
  lease: "held",
  leaseLeft: 500,
  waiting: 0,
  problems: new Map(),
  aside: [],
  notice: null,
};
const lost = { id: "p", stage: "link", answers: 4, detail: "" } as const;
const at = (kind: "signin" | "elsewhere" | "sending" | "nothing" | "loading") => ({ phase: { kind } });

describe("the one line that is said", () => {
  it.each<[string, Partial<Seen>, string, string]>([
    ["all is well", {}, "quiet", en.saved],
    ["writing", { kept: "saving" }, "quiet", en.saving],
    ["memory only", { kept: "memory" }, "warn", en.memory],
    ["no network", { online: false }, "warn", en.offline],
    ["the lease ends", { lease: "soon", leaseLeft: 61 }, "warn", en.soon(2)],
    ["it is over, and there is no network", { lease: "over", online: false }, "warn", en.over],
    ["a wish failed", { notice: "Busy." }, "warn", en.notice("Busy.")],
    ["answers refused", { problems: new Map([[0, "x"]]), online: false }, "bad", en.problems(1)],
    ["undeliverable", { aside: [lost, lost] }, "bad", en.aside(8)],
    ["no network, no page", { ...at("loading"), online: false }, "warn", en.unreachable],
    ["other stages wait", { ...at("nothing"), waiting: 1 }, "warn", en.waiting(1)],
  ])("%s", (_, seen, severity, text) => {
    expect(statusLine({ ...well, ...seen }, en)).toEqual({ severity, text });
  });

  it.each(["loading", "nothing"] as const)("is none if all is well: %s", (kind) => {
    expect(statusLine({ ...well, ...at(kind) }, en)).toBeNull();
  });

  it.each(["signin", "elsewhere", "sending"] as const)(
    "is none where the page says it itself: %s",
    (kind) => {
      expect(statusLine({ ...well, ...at(kind), online: false, waiting: 1 }, en)).toBeNull();
    },
  );
});

it.each([en, de])("counts one and many", (texts) => {
  for (const say of [texts.waiting, texts.problems, texts.aside, texts.soon]) {
    expect(say(1)).not.toMatch(/\d/);
    expect(say(3)).toContain("3");
  }
});
