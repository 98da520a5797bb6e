import { expect, it } from "vitest";
import { begin, change } from "./draft";
import { heeded, LastWord } from "./lastword";
import { fresh, type Record } from "./record";
import { page } from "./testing/page";
import { vault, type Vault } from "./vault";

const record = fresh("ada", begin(page(2)), "here");
const said: Record = { ...record, changed: 5, draft: change(record.draft, { answer: { same: true } }) };

const memory = (): Vault =>
  vault(() => {
    throw new Error("no storage here");
  });

it("is told once, to whichever page asks first", () => {
  const shared = memory();
  new LastWord(shared).say(said);
  expect(new LastWord(shared).take()).toEqual(said);
  expect(new LastWord(shared).take()).toBeNull();
});

it("is gone when it was written after all, but only by the tab that said it", () => {
  const shared = memory();
  const [mine, other] = [new LastWord(shared), new LastWord(shared)];
  mine.say(said);
  other.drop();
  expect(shared.get("groundcrew.last")).not.toBe("");
  mine.drop();
  expect(other.take()).toBeNull();
});

it.each(["", "{", "null", '{"version":1}'])("does without what it cannot read: %j", (text) => {
  const shared = memory();
  shared.set("groundcrew.last", text);
  expect(new LastWord(shared).take()).toBeNull();
  expect(shared.get("groundcrew.last")).toBe("");
});

it.each<[string, Record | null, boolean]>([
  ["nothing was written", null, true],
  ["less was written", { ...record, changed: 4 }, true],
  ["all but the submission was written", { ...said, state: "draft" }, true],
  ["more was said since", { ...record, changed: 6 }, false],
  ["another tab has it", { ...record, owner: "there", changed: 4 }, false],
  ["it is on its way", { ...record, state: "waiting", changed: 5 }, false],
])("is heeded or not where %s", (_, old, counts) => {
  const last: Record = { ...said, state: "waiting" };
  expect(heeded(old, last)).toBe(counts ? last : old);
});
