import "fake-indexeddb/auto";
import { describe, expect, it } from "vitest";
import { answerAll, NO, YES } from "./testing/answer";
import { settle, World } from "./testing/world";

describe("a page", () => {
  it("is claimed, answered, sent, and followed by the next", async () => {
    const world = new World(4, 2);
    const tab = await world.open();
    expect(tab.work.phase.kind).toBe("working");
    answerAll(tab);
    await tab.work.submit();
    await settle();
    expect(tab.work.phase.kind).toBe("working");
    expect(tab.work.receipt).toMatchObject({ accepted: 2, reward: { amount: 5 } });
    expect(tab.work.earned).toEqual([{ amount: 5, currency: "EUR" }]);
    expect(world.server.calls.filter((call) => call === "POST assignments")).toHaveLength(1);
    answerAll(tab, NO);
    expect(tab.work.receipt).toBeNull();
    await tab.work.submit();
    await settle();
    expect(tab.work.phase).toMatchObject({ kind: "done", receipt: { accepted: 2 } });
    await tab.work.next();
    expect(tab.work.phase.kind).toBe("nothing");
    expect(world.server.accepted.map(({ item }) => item)).toEqual([1, 2, 3, 4]);
    expect(await world.store.list("ada")).toEqual([]);
  });

  it("is not sent with an answer missing: the first one missing is shown", async () => {
    const tab = await new World(3, 3).open();
    tab.work.change({ answer: YES });
    tab.work.go(3);
    await tab.work.submit();
    expect([tab.work.phase.kind, tab.work.draft?.place]).toEqual(["working", 1]);
  });

  it("comes back after a reload with the item, answer, marks and comment", async () => {
    const world = new World();
    const tab = await world.open();
    tab.work.change({ answer: YES, comment: "dark" });
    tab.work.go(1);
    tab.work.change({ marks: [[3, 4]] });
    const again = await world.reload(tab);
    expect(again.work.draft).toMatchObject({
      place: 1,
      entries: [{ answer: YES, comment: "dark" }, { marks: [[3, 4]] }],
    });
    expect(world.server.assignments.size).toBe(1);
  });

  it("comes back without a network, and is sent when there is one", async () => {
    const world = new World();
    const tab = await world.open();
    answerAll(tab);
    world.server.network = false;
    const again = await world.reload(tab);
    expect([again.work.phase.kind, again.work.online]).toEqual(["working", false]);
    await again.work.submit();
    expect([again.work.phase.kind, again.work.waiting]).toEqual(["sending", 1]);
    const third = await world.reload(again);
    expect(third.work.phase.kind).toBe("sending");
    world.server.network = true;
    third.work.network(true);
    await settle();
    expect(third.work.phase.kind).toBe("working");
    expect(third.work.draft?.page.id).not.toBe(tab.work.draft?.page.id);
    expect(world.server.accepted).toHaveLength(2);
  });

  it("gets fresh picture links and keeps its answers", async () => {
    const world = new World();
    const tab = await world.open();
    const link = tab.work.draft?.page.items[0]?.question.image.url;
    tab.work.change({ answer: NO });
    await tab.work.retry();
    expect(tab.work.draft?.page.items[0]?.question.image.url).not.toBe(link);
    expect(tab.work.draft?.entries[0]?.answer).toEqual(NO);
  });

  it("is given back only once the server says so", async () => {
    const world = new World(2, 2);
    const tab = await world.open();
    tab.work.change({ answer: YES });
    await settle();
    world.server.faults = ["busy"];
    await tab.work.giveBack();
    expect([tab.work.phase.kind, tab.work.notice]).toEqual(["working", "The server is busy."]);
    await tab.work.giveBack();
    expect([tab.work.phase.kind, tab.work.draft]).toEqual(["returned", null]);
    expect(await world.store.list("ada")).toEqual([]);
  });

  it("brings the server's problems to their items", async () => {
    const world = new World(2, 2);
    world.server.refuses = ({ item, answer }) => item === 2 && "same" in answer && answer.same;
    const tab = await world.open();
    answerAll(tab);
    await tab.work.submit();
    await settle();
    expect([tab.work.phase.kind, tab.work.draft?.place]).toEqual(["working", 1]);
    expect([...tab.work.problems]).toEqual([[1, "must be otherwise"]]);
    tab.work.change({ answer: NO });
    expect(tab.work.problems.size).toBe(0);
    await tab.work.submit();
    expect(tab.work.phase.kind).toBe("done");
  });

  it("counts time only while the worker is there", async () => {
    const world = new World();
    const tab = await world.open();
    await world.time.pass(10);
    tab.work.active();
    await world.time.pass(400);
    tab.work.active();
    tab.work.visible(false);
    await world.time.pass(30);
    tab.work.visible(true);
    await world.time.pass(5);
    tab.work.change({ answer: YES });
    expect(tab.work.draft?.entries[0]?.seconds).toBeCloseTo(10 + 60 + 5);
  });
});

describe("the next page", () => {
  const claims = ({ server }: World) => server.calls.filter((call) => call === "POST assignments").length;

  it("comes with a receipt that was lost at first, and is leased once", async () => {
    const world = new World(6, 2);
    const tab = await world.open();
    answerAll(tab);
    world.server.faults = ["after"];
    await tab.work.submit();
    expect([tab.work.phase.kind, world.server.assignments.size]).toEqual(["sending", 2]);
    await tab.work.retry();
    await settle();
    expect([tab.work.phase.kind, claims(world), world.server.assignments.size]).toEqual(["working", 1, 2]);
    expect([...world.server.assignments.keys()].at(-1)).toBe(tab.work.draft?.page.id);
    await world.time.pass(30);
    expect(world.server.calls.filter((call) => call.endsWith("/renewal"))).toHaveLength(1);
  });

  it("is held for a whole lease, and not renewed at once", async () => {
    const world = new World(6, 2);
    const tab = await world.open();
    answerAll(tab);
    await tab.work.submit();
    await settle();
    tab.work.active();
    await world.time.pass(30);
    expect(tab.work.lease).toBe("held");
    expect(world.server.calls.filter((call) => call.endsWith("/renewal"))).toEqual([]);
  });

  it("waits until the worker has read which answers came too late", async () => {
    const world = new World(4, 2);
    const tab = await world.open();
    answerAll(tab);
    await world.time.pass(700);
    world.server.expire();
    // Somebody else has judged them meanwhile.
    for (const item of [1, 2]) {
      const reply = { item, answer: NO, seconds: null, comment: "", chunk_flag: false };
      world.server.accepted.push({ page: "another", item, reply });
    }
    await tab.work.submit();
    await settle();
    expect(tab.work.phase).toMatchObject({ kind: "done", receipt: { acknowledged: 2 } });
    await tab.work.next();
    expect([tab.work.phase.kind, tab.work.receipt]).toEqual(["working", null]);
  });

  it("is not asked for while nobody looks", async () => {
    const world = new World(4, 2);
    const tab = await world.open();
    answerAll(tab);
    world.server.network = false;
    await tab.work.submit();
    tab.work.visible(false);
    world.server.network = true;
    await world.time.pass(120);
    expect([tab.work.phase.kind, world.server.assignments.size]).toEqual(["done", 1]);
    tab.work.visible(true);
    await tab.work.next();
    expect([tab.work.phase.kind, claims(world)]).toEqual(["working", 2]);
  });
});

describe("the lease", () => {
  it("is renewed while the worker is there", async () => {
    const world = new World();
    const tab = await world.open();
    for (let n = 0; n < 15; n++) {
      await world.time.pass(60);
      tab.work.active();
    }
    expect(tab.work.lease).toBe("held");
    expect(tab.work.leaseLeft).toBeGreaterThan(180);
  });

  it("is kept with the page as it was renewed, so that the list of tasks knows whether it is over", async () => {
    const world = new World();
    const tab = await world.open();
    const until = (): string | undefined => tab.work.draft?.page.expires_at;
    const claimed = until();
    for (let n = 0; n < 15; n++) {
      await world.time.pass(60);
      tab.work.active();
    }
    tab.work.change({ answer: YES });
    await settle();
    const [kept] = await world.store.list("ada");
    expect(until()).not.toBe(claimed);
    expect(kept?.draft.page.expires_at).toBe(until());
  });

  it("ends while the worker is away, and sending still counts", async () => {
    const world = new World(2, 2);
    const tab = await world.open();
    answerAll(tab);
    await world.time.pass(700);
    expect(tab.work.lease).toBe("over");
    world.server.expire();
    tab.work.active();
    await world.time.pass(2);
    expect([tab.work.phase.kind, tab.work.lease]).toEqual(["working", "over"]);
    await tab.work.submit();
    expect(tab.work.phase).toMatchObject({ kind: "done", receipt: { accepted: 2 } });
  });
});

describe("a page that is not the worker's any more", () => {
  it("is set aside with its answers until the worker has seen it", async () => {
    const world = new World();
    const tab = await world.open();
    answerAll(tab);
    world.server.assignments.clear();
    await tab.work.submit();
    await settle();
    expect(tab.work.aside).toMatchObject([{ answers: 2, detail: "There is no such page of yours." }]);
    const again = await world.reload(tab);
    expect(again.work.aside).toHaveLength(1);
    await again.work.acknowledge(again.work.aside[0]?.id ?? "");
    expect([again.work.aside, (await world.store.list("ada")).filter((r) => r.state === "aside")]).toEqual([
      [],
      [],
    ]);
  });
});

describe("a stage without work", () => {
  it("is asked about again, ever more rarely, and only while somebody looks", async () => {
    const world = new World(0);
    const tab = await world.open();
    const claims = () => world.server.calls.filter((call) => call === "POST assignments").length;
    expect([tab.work.phase.kind, claims()]).toEqual(["nothing", 1]);
    await world.time.pass(30);
    expect(claims()).toBe(4);
    tab.work.visible(false);
    await world.time.pass(3600);
    expect(claims()).toBe(4);
    tab.work.visible(true);
    await settle();
    expect(claims()).toBe(5);
    await world.time.pass(3600);
    expect(claims()).toBeLessThan(5 + 3600 / 55);
  });
});

describe("a stage that is left", () => {
  it("asks nothing more of the server", async () => {
    const world = new World();
    const tab = await world.open();
    tab.work.stop();
    const calls = world.server.calls.length;
    for (let n = 0; n < 15; n++) {
      await world.time.pass(60);
      tab.work.active();
    }
    expect(world.server.calls.length).toBe(calls);
  });
});
