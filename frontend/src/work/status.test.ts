import { describe, expect, it } from "vitest";
import de from "../texts/de/work";
import en from "../texts/en/work";
import { begin } from "./draft";
import { statusLine, type Seen } from "./status";
import { page } from "./testing/page";

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
  draft: begin(page(2)),
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
    ["signed out with a draft", at("signin"), "bad", en.signInKept],
    ["signed out without", { ...at("signin"), draft: null }, "bad", en.signIn],
    ["another tab", at("elsewhere"), "bad", en.elsewhere],
    ["blocked", { phase: { kind: "refused", detail: "No." } }, "bad", en.refused("No.")],
    ["undeliverable", { aside: [lost, lost] }, "bad", en.aside(8)],
    ["sending", at("sending"), "quiet", en.sending],
    ["waiting", { ...at("sending"), online: false, waiting: 2 }, "warn", en.waiting(2)],
    ["waiting in memory", { ...at("sending"), online: false, kept: "memory" }, "bad", en.waitingInMemory],
    ["nothing to do", at("nothing"), "quiet", en.nothing],
    ["other stages wait", { ...at("nothing"), waiting: 1 }, "warn", en.waiting(1)],
    ["failed", { phase: { kind: "failed", detail: "Odd." } }, "bad", en.failed("Odd.")],
    ["failed, no network", { phase: { kind: "failed", detail: "" }, online: false }, "bad", en.unreachable],
  ])("%s", (_, seen, severity, text) => {
    expect(statusLine({ ...well, ...seen }, en)).toEqual({ severity, text });
  });

  it("is none while a page is loaded", () => {
    expect(statusLine({ ...well, ...at("loading") }, en)).toBeNull();
  });
});

it.each([en, de])("counts one and many", (texts) => {
  for (const say of [texts.waiting, texts.problems, texts.aside, texts.soon]) {
    expect(say(1)).not.toMatch(/\d/);
    expect(say(3)).toContain("3");
  }
});
