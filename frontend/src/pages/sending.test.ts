import "fake-indexeddb/auto";
import { afterEach, expect, it, vi } from "vitest";
import { Account } from "./account.svelte";
import { sourcesOf } from "./browser";
import { sendWhen } from "../work/browser";
import { settle, World, type Tab } from "../work/testing/world";

afterEach(() => vi.restoreAllMocks());

/** A page that was finished without a network, and whose stage was left before it was sent. */
async function left(world: World): Promise<Tab> {
  const tab = await world.open();
  for (const place of tab.work.draft?.entries.keys() ?? []) {
    tab.work.go(place);
    tab.work.change({ answer: { same: true } });
  }
  world.server.network = false;
  await tab.work.submit();
  tab.work.stop();
  return tab;
}

it("goes on by itself when the stage was left", async () => {
  const world = new World();
  await left(world);
  world.server.network = true;
  await world.time.pass(61);
  expect(world.server.accepted).toHaveLength(2);
});

it.each<[string, () => unknown]>([
  ["when the network is back", () => window.dispatchEvent(new Event("online"))],
  ["when the page is seen", () => document.dispatchEvent(new Event("visibilitychange"))],
])("goes on %s, whatever page is shown", async (_, happen) => {
  const world = new World();
  const { outbox, session } = await left(world);
  sendWhen(outbox, session);
  await settle();
  world.server.network = true;
  happen();
  await settle();
  expect(world.server.accepted).toHaveLength(2);
});

it("goes on in a document that was opened on another page", async () => {
  const world = new World();
  await left(world);
  world.server.network = true;
  const other = world.tab();
  sendWhen(other.outbox, other.session);
  await settle();
  expect(world.server.accepted).toHaveLength(2);
  expect(other.work.earned).toEqual([]); // it was never shown, so it never looked
});

it("is sent although the stage was left in the moment it was submitted", async () => {
  const world = new World();
  const tab = await world.open();
  for (const place of [0, 1]) {
    tab.work.go(place);
    tab.work.change({ answer: { same: true } });
  }
  void tab.work.submit();
  tab.work.stop();
  await settle();
  expect(world.server.accepted).toHaveLength(2);
});

it("is no longer said to wait once it is sent", async () => {
  const world = new World();
  const tab = await left(world);
  const mine = new Account(sourcesOf(tab));
  const end = mine.follow();
  await settle();
  expect(mine.kept).toHaveLength(1);
  world.server.network = true;
  await tab.outbox.drain();
  await settle();
  expect(mine.kept).toEqual([]);
  end();
});

it("is no longer said to wait once another tab has sent it", async () => {
  const world = new World();
  const tab = await left(world);
  const mine = new Account(sourcesOf(world.tab()));
  mine.follow();
  await settle();
  world.server.network = true;
  await tab.outbox.drain();
  await settle();
  expect(mine.kept).toEqual([]);
});
