/** A page that is sent by itself: after five seconds, once, and never against the worker's will. */

import { expect, test } from "vitest";
import { World, settle, type Tab } from "./testing/world";

const SAME = { same: true };

async function answered(world: World): Promise<Tab> {
  const tab = await world.open();
  for (const place of [0, 1]) {
    tab.work.go(place);
    tab.work.change({ answer: SAME });
  }
  tab.work.go(2);
  await settle();
  return tab;
}

test("a page is sent five seconds after its last answer, and once", async () => {
  const world = new World(2, 2);
  const { work } = await answered(world);
  work.sendSoon();
  expect(work.sendsIn).toBe(5);
  await world.time.pass(4.5);
  expect(work.sendsIn).toBe(1);
  expect(world.server.accepted).toHaveLength(0);
  await world.time.pass(0.6);
  expect(work.phase.kind).toBe("done");
  expect(work.sendsIn).toBeNull();
  await world.time.pass(30);
  expect(world.server.accepted).toHaveLength(2);
});

test("sending at once ends the countdown", async () => {
  const world = new World(4, 2);
  const { work } = await answered(world);
  work.sendSoon();
  await work.submit();
  await settle();
  await world.time.pass(10);
  expect(work.phase.kind).toBe("working");
  expect(world.server.accepted).toHaveLength(2);
});

test.each<[string, (tab: Tab) => void]>([
  ["the worker holds it", ({ work }) => work.hold()],
  ["an answer, a comment or a flag is changed", ({ work }) => work.change({ chunkFlag: true })],
  ["another item is shown", ({ work }) => work.go(0)],
  ["the page is hidden", ({ work }) => work.visible(false)],
  ["the worker leaves the stage", ({ work }) => work.stop()],
])("nothing is sent if meanwhile %s", async (_what, happens) => {
  const world = new World(2, 2);
  const tab = await answered(world);
  tab.work.sendSoon();
  await world.time.pass(4);
  happens(tab);
  expect(tab.work.sendsIn).toBeNull();
  await world.time.pass(20);
  expect(world.server.accepted).toHaveLength(0);
});

test("a page with an open item is never sent", async () => {
  const world = new World(2, 2);
  const { work } = await world.open();
  work.change({ answer: SAME });
  work.go(2);
  work.sendSoon();
  expect(work.sendsIn).toBeNull();
  await world.time.pass(20);
  expect(world.server.accepted).toHaveLength(0);
});

test("a page that is hidden does not begin to count", async () => {
  const world = new World(2, 2);
  const { work } = await answered(world);
  work.visible(false);
  work.sendSoon();
  expect(work.sendsIn).toBeNull();
});

test("a device that slept meanwhile sends nothing", async () => {
  const world = new World(2, 2);
  const { work } = await answered(world);
  work.sendSoon();
  world.time.now += 60;
  await world.time.pass(10);
  expect(work.sendsIn).toBeNull();
  expect(world.server.accepted).toHaveLength(0);
});

test("the page of another tab is not sent from here", async () => {
  const world = new World(2, 2);
  const { work } = await answered(world);
  work.sendSoon();
  await world.open();
  await world.time.pass(20);
  expect(work.phase.kind).toBe("elsewhere");
  expect(world.server.accepted).toHaveLength(0);
});
