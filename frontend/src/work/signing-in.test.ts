import "fake-indexeddb/auto";
import { describe, expect, it } from "vitest";
import { answerAll, YES } from "./testing/answer";
import { settle, World } from "./testing/world";

describe("signing in", () => {
  it("is asked for where there is no token", async () => {
    const tab = await new World().open(null);
    expect(tab.work.phase).toEqual({ kind: "signin" });
    expect(await tab.work.signIn("https://site/work/#token=ada:1:s")).toBe(true);
    expect(tab.work.phase.kind).toBe("working");
  });

  it("in the middle keeps the answers, and sends them afterwards", async () => {
    const world = new World();
    const tab = await world.open();
    answerAll(tab);
    world.server.ended.add(tab.session.current() ?? "");
    await tab.work.submit();
    expect(tab.work.phase).toEqual({ kind: "signin", ended: true });
    expect(await tab.work.signIn("not a token")).toBe(false);
    expect(await tab.work.signIn("ada:2:s")).toBe(true);
    await settle();
    expect(tab.work.phase.kind).toBe("working");
    expect(world.server.accepted).toHaveLength(2);
  });

  it("as somebody else shows nothing of the first worker, who finds everything again", async () => {
    const world = new World();
    const tab = await world.open();
    tab.work.change({ answer: YES });
    world.server.ended.add(tab.session.current() ?? "");
    await tab.work.retry();
    expect(tab.work.phase.kind).toBe("signin");
    expect(await tab.work.signIn("bob:1:s")).toBe(false);
    await settle();
    expect(tab.work.draft?.entries[0]?.answer).toBeNull();
    await tab.work.signIn("ada:2:s");
    await settle();
    expect(tab.work.draft?.entries[0]?.answer).toEqual(YES);
  });

  it("with a token of today finds what was answered with one that had three parts", async () => {
    const world = new World();
    const before = await world.open("ada:1abc:s");
    answerAll(before);
    world.server.ended.add(before.session.current() ?? "").add("ada:1abc:s");
    await before.work.submit();
    before.close();
    const after = await world.open(null);
    expect(after.work.phase).toEqual({ kind: "signin", ended: true });
    expect(await after.work.signIn("https://site/work/#token=ada:1-90417-0-1772366400:2abc:s")).toBe(true);
    await settle();
    expect(after.work.phase.kind).toBe("working");
    expect(world.server.accepted).toHaveLength(2);
  });

  it("in another tab helps here", async () => {
    const world = new World();
    const tab = await world.open();
    world.server.ended.add(tab.session.current() ?? "");
    await tab.work.retry();
    world.tab(null).session.take("ada:9:s");
    world.handOver(tab);
    await settle();
    expect(tab.work.phase.kind).toBe("working");
  });
});
