import "fake-indexeddb/auto";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Answer } from "../api/types";
import type { Fault } from "./testing/server";
import { settle, World, type Tab } from "./testing/world";

const ITEMS = 7;
const TABS = [0, 1];

/** One thing that happens: something the worker does in one of two tabs, or something that goes wrong. */
type Step =
  | { do: "answer"; tab: number; place: number; same: boolean }
  | { do: "submit" | "next" | "reload" | "close" | "takeOver" | "retry" | "signIn"; tab: number }
  /** As in real life, the page is gone before anything that it began has ended. */
  | { do: "kill"; tab: number; place: number; same: boolean }
  | { do: "faults"; faults: Fault[] }
  | { do: "network"; on: boolean }
  | { do: "end" | "sweep" | "revoke" }
  | { do: "wait"; seconds: number };

const tab = fc.constantFrom(...TABS);
const said = { tab, place: fc.nat(2), same: fc.boolean() };
const fault = fc.constantFrom<Fault>("none", "before", "after", "twice", "busy", "broken", "portal");
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant("answer" as const), ...said }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("kill" as const), ...said }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("submit" as const), tab }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom("next", "reload", "close", "takeOver", "retry", "signIn"),
      tab,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("faults" as const), faults: fc.array(fault, { maxLength: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("network" as const), on: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("end", "sweep", "revoke") }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("wait" as const), seconds: fc.nat(700) }) },
);

/** The worker's last answer by page and place. */
class Said {
  #answers = new Map<string, Answer>();
  /** The pages that were shown in any tab. */
  pages = new Set<string>();

  note({ work }: Tab, place: number, answer: Answer): void {
    const draft = work.draft;
    if (work.phase.kind !== "working" || !draft || place >= draft.page.items.length) return;
    work.go(place);
    work.change({ answer });
    this.#answers.set(`${draft.page.id} ${place}`, answer);
  }

  /** Checks that a page that is shown to be worked on shows all answers that were given to it. */
  check({ work }: Tab): void {
    const draft = work.draft;
    if (work.phase.kind !== "working" || !draft) return;
    this.pages.add(draft.page.id);
    draft.entries.forEach((entry, place) => {
      const answer = this.#answers.get(`${draft.page.id} ${place}`);
      if (answer) expect(entry.answer).toEqual(answer);
    });
  }

  get all(): [page: string, item: number, answer: Answer][] {
    return [...this.#answers].map(([key, answer]) => {
      const [page = "", place = ""] = key.split(" ");
      return [page, Number(place) + 1, answer];
    });
  }
}

async function play(world: World, steps: Step[]): Promise<void> {
  const tabs: (Tab | null)[] = [await world.open(), null];
  const said = new Said();
  let tokens = 1;
  for (const now of steps) {
    const at = "tab" in now ? now.tab : 0;
    const here = tabs[at] ?? null;
    if (now.do === "faults") world.server.faults = now.faults;
    else if (now.do === "network") world.server.network = now.on;
    else if (now.do === "end") for (const t of tabs) world.server.ended.add(t?.session.current() ?? "");
    else if (now.do === "sweep") world.server.expire();
    else if (now.do === "revoke") world.server.revoke();
    else if (now.do === "wait") await world.time.pass(now.seconds);
    else if (now.do === "close") {
      here?.close();
      tabs[at] = null;
    } else if (here === null) tabs[at] = await world.open(`ada:${++tokens}:s`);
    else if (now.do === "answer") said.note(here, now.place, { same: now.same });
    else if (now.do === "kill") {
      said.note(here, now.place, { same: now.same });
      tabs[at] = await world.reload(here);
    } else if (now.do === "reload") tabs[at] = await world.reload(here);
    else if (now.do === "submit") void here.work.submit();
    else if (now.do === "next") void here.work.next();
    else if (now.do === "takeOver") here.work.takeOver();
    else if (now.do === "retry") void here.work.retry();
    else void here.work.signIn(`ada:${++tokens}:s`);
    await settle();
    for (const t of tabs) if (t) said.check(t);
  }

  // The faults are over. One tab does what is left to do.
  world.server.faults = [];
  world.server.network = true;
  for (const t of tabs) t?.close();
  await settle();
  const last = await world.open(null);
  if (last.work.phase.kind === "signin") await last.work.signIn(`ada:${tokens + 1}:s`);
  for (let n = 0; n < 200 && last.work.phase.kind !== "nothing"; n++) {
    await settle();
    said.check(last);
    for (const place of last.work.draft?.entries.keys() ?? [])
      if (last.work.draft?.entries[place]?.answer === null) said.note(last, place, { same: true });
    await last.work.submit();
    await last.work.next();
    await world.time.pass(61);
    last.work.visible(true);
  }
  expect(last.work.phase.kind).toBe("nothing");
  expect(await world.store.list("ada")).toEqual([]);

  // Every answer arrived as it was last given, and once.
  const { accepted, late } = world.server;
  const arrived = [...accepted, ...late].map(({ page, reply }) => [page, reply.item, reply.answer]);
  expect(arrived.sort()).toEqual(said.all.sort());
  // And every item was judged once.
  expect(accepted.map(({ item }) => item).sort()).toEqual(Array.from({ length: ITEMS }, (_, n) => n + 1));
}

it("loses no answer and doubles none, whatever happens", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), (steps) => play(new World(ITEMS, 3), steps)),
    { numRuns: 150 },
  );
});
