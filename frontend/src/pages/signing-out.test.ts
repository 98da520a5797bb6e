import "fake-indexeddb/auto";
import { expect, it } from "vitest";
import { Account } from "./account.svelte";
import { sourcesOf } from "./browser";
import { settle, World, type Tab } from "../work/testing/world";

function answer({ work }: Tab): void {
  for (const place of [0, 1]) {
    work.go(place);
    work.change({ answer: { same: true } });
  }
}

it.each([false, true])("in another tab ends the work here, with answers forgotten: %s", async (forget) => {
  const world = new World();
  const [here, there] = [await world.open(), world.tab(null)];
  answer(here);
  await settle();
  here.work.go(0); // not written yet
  await new Account(sourcesOf(there)).signOut(forget);
  here.work.change({ comment: "late" });
  world.handOver(here);
  await settle();
  expect([here.work.phase.kind, here.work.draft]).toEqual(["signin", null]);
  here.close();
  await settle();
  expect(await world.store.list("ada")).toHaveLength(forget ? 0 : 1);
});

it("in another tab does not leave a page that is being sent to be sent for ever", async () => {
  const world = new World();
  const [here, there] = [await world.open(), world.tab(null)];
  answer(here);
  world.server.network = false;
  await here.work.submit();
  expect(here.work.phase.kind).toBe("sending");
  there.session.forget();
  world.handOver(here);
  await settle();
  expect(here.work.phase.kind).toBe("signin");
});

it("is noticed at the next try where the other tab was not heard", async () => {
  const world = new World();
  const here = await world.open();
  answer(here);
  world.server.network = false;
  await here.work.submit();
  here.session.forget();
  await here.work.retry();
  expect(here.work.phase.kind).toBe("signin");
});
