import "fake-indexeddb/auto";
import { describe, expect, it } from "vitest";
import { answerAll, NO, YES } from "./testing/answer";
import { settle, World } from "./testing/world";

describe("two tabs", () => {
  it("do not fight: the last one opened has the page, the first can take it over", async () => {
    const world = new World();
    const first = await world.open();
    first.work.change({ answer: YES });
    const second = await world.open();
    expect(first.work.phase.kind).toBe("elsewhere");
    expect(second.work.draft?.entries[0]?.answer).toEqual(YES);
    second.work.go(1);
    second.work.change({ answer: NO });
    first.work.change({ answer: NO });
    first.work.takeOver();
    await settle();
    expect(second.work.phase.kind).toBe("elsewhere");
    expect(first.work.draft?.entries.map(({ answer }) => answer)).toEqual([YES, NO]);
  });

  it("notice what the other one sent", async () => {
    const world = new World();
    const first = await world.open();
    const second = await world.open();
    answerAll(second);
    await second.work.submit();
    await settle();
    expect(first.work.phase.kind).toBe("done");
    expect(first.work.earned).toEqual([]);
  });

  it("that cannot talk learn from the store who has the page", async () => {
    const [world, deaf] = [new World(), new World()];
    const first = await world.open();
    deaf.server = world.server;
    deaf.store = world.store;
    const second = await deaf.open();
    expect([first.work.phase.kind, second.work.phase.kind]).toEqual(["working", "working"]);
    second.work.change({ answer: YES });
    await settle();
    first.work.change({ answer: NO });
    await settle();
    expect(first.work.phase.kind).toBe("elsewhere");
    expect((await world.store.list("ada"))[0]?.draft.entries[0]?.answer).toEqual(YES);
  });

  it("that cannot talk do not wait for what the other one delivered", async () => {
    const [world, deaf] = [new World(), new World()];
    const first = await world.open();
    answerAll(first);
    world.server.network = false;
    await first.work.submit();
    expect(first.work.phase.kind).toBe("sending");
    deaf.server = world.server;
    deaf.store = world.store;
    const second = await deaf.open();
    world.server.network = true;
    await second.work.retry();
    await settle();
    expect([first.work.phase.kind, second.work.phase.kind]).toEqual(["sending", "working"]);
    await first.work.retry();
    await settle();
    expect([first.work.phase.kind, first.work.waiting]).toEqual(["working", 0]);
    expect(world.server.accepted).toHaveLength(2);
  });

  it("write everything before they go, also while a write is under way", async () => {
    const world = new World();
    const tab = await world.open();
    tab.work.change({ answer: YES });
    tab.work.go(1);
    tab.work.change({ answer: NO });
    tab.close();
    await settle();
    const [record] = await world.store.list("ada");
    expect(record?.draft.entries.map(({ answer }) => answer)).toEqual([YES, NO]);
  });

  it("tell of a page that was given back as such", async () => {
    const world = new World();
    const first = await world.open();
    const second = await world.open();
    await second.work.giveBack();
    await settle();
    expect(first.work.phase.kind).toBe("returned");
  });

  it("do not tell of a refused page as given back, nor take it from the one that goes on", async () => {
    const world = new World(2, 2);
    world.server.refuses = ({ item }) => item === 2;
    const first = await world.open();
    const second = await world.open();
    answerAll(second);
    await second.work.submit();
    await settle();
    expect([first.work.phase.kind, second.work.phase.kind]).toEqual(["elsewhere", "working"]);
    expect(second.work.problems.size).toBe(1);
  });

  it("go on with another page where the one shown in both is not the worker's any more", async () => {
    const world = new World(4, 2);
    const first = await world.open();
    const { tabs } = world.tab();
    const id = first.work.draft?.page.id ?? "";
    // A tab of an earlier version, which does not know of `returned`.
    await world.store.update("ada", id, () => null);
    world.server.revoke();
    tabs.tell({ kind: "settled", page: id, tab: tabs.id, receipt: null });
    await settle();
    expect(first.work.phase.kind).toBe("working");
    expect(first.work.draft?.page.id).not.toBe(id);
  });
});
