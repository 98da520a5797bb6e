import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Failure, Result } from "../api/result";
import type { Me } from "../api/types";
import { samplePage } from "../sample";
import { begin } from "../work/draft";
import { fresh } from "../work/record";
import { Session } from "../work/session";
import { BrowserStore } from "../work/store";
import { vault, type Vault } from "../work/vault";
import { Account, type Sources } from "./account.svelte";
import { sourcesOf, type Used } from "./browser";

const ME: Me = {
  worker: "ada",
  project: "p",
  contact: "",
  earned: [],
  stages: [],
  weeks: [],
  captions: null,
};
const TOKEN = "ada-ref:stamp:signature";
const forbidden = (): Storage => {
  throw new DOMException("denied", "SecurityError");
};

let shared: Vault;
let session: Session;
let store: BrowserStore;
let reply: Result<Me>;

/** The account of a browser whose server gives this `reply` to everybody who has a token. */
function account(): Account {
  const none: Failure = { ok: false, kind: "unauthorised", detail: "" };
  // Nothing waits to be sent here, and no other tab is open.
  const tabs: Used["tabs"] = { id: "tab", tell: () => undefined, listen: () => () => undefined };
  const idle = { drain: async () => undefined, listen: () => () => undefined } as unknown as Used["outbox"];
  const me = async () => (session.current() === null ? none : reply);
  return new Account(sourcesOf({ session, store, api: { me } as Used["api"], tabs, outbox: idle }));
}

const sourcesOfNobody: Omit<Sources, "me"> = {
  kept: async () => [],
  listen: () => () => undefined,
  known: () => false,
  signIn: () => true,
  signOut: async () => undefined,
};

const openSession = () => new Session(vault(forbidden), shared, () => 0);

beforeEach(() => {
  shared = vault(forbidden);
  session = openSession();
  store = new BrowserStore("account-test");
  reply = { ok: true, status: 200, data: ME, retryAfter: null };
});

test("without a token one has to sign in, and a link does it", async () => {
  const mine = account();
  await mine.load();
  expect(mine.state).toEqual({ kind: "signin", ended: false });
  expect(await mine.signIn("no token at all")).toBe(false);
  expect(await mine.signIn(`https://example.org/work/#token=${TOKEN}`)).toBe(true);
  expect(mine.state).toEqual({ kind: "shown" });
  expect(mine.me).toEqual(ME);
});

test("a token that has ended is told from none", async () => {
  session.take(TOKEN);
  reply = { ok: false, kind: "unauthorised", detail: "" };
  const mine = account();
  await mine.load();
  expect(mine.state).toEqual({ kind: "signin", ended: true });
  await mine.signOut(false);
  expect(mine.state).toEqual({ kind: "signin", ended: false });
});

test.each<[Failure["kind"], string]>([
  ["unauthorised", "signin"],
  ["offline", "offline"],
  ["busy", "offline"],
  ["refused", "refused"],
  ["gone", "failed"],
])("a reply that is %s shows as %s, and what was known stays", async (kind, shown) => {
  session.take(TOKEN);
  const mine = account();
  await mine.load();
  reply = { ok: false, kind, detail: "why", retryAfter: null, errors: [] } as Failure;
  await mine.load();
  expect(mine.state.kind).toBe(shown);
  expect(mine.me).toEqual(ME);
});

test("of two loads at once the one that was asked for last counts", async () => {
  session.take(TOKEN);
  const answers: ((me: Me) => void)[] = [];
  const mine = new Account({
    ...sourcesOfNobody,
    me: () =>
      new Promise((resolve) =>
        answers.push((data) => resolve({ ok: true, status: 200, data, retryAfter: null })),
      ),
  });
  const loads = [mine.load(), mine.load()];
  await vi.waitFor(() => expect(answers.length).toBeGreaterThan(0));
  answers.at(-1)?.({ ...ME, worker: "later" });
  await Promise.resolve();
  answers[0]?.({ ...ME, worker: "earlier" });
  await Promise.all(loads);
  expect(mine.me?.worker).toBe("later");
});

test("what was asked for before signing out is not shown after it", async () => {
  const answers: (() => void)[] = [];
  const mine = new Account({
    ...sourcesOfNobody,
    me: () =>
      new Promise((resolve) =>
        answers.push(() => resolve({ ok: true, status: 200, data: ME, retryAfter: null })),
      ),
  });
  const load = mine.load();
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  await mine.signOut(false);
  answers[0]?.();
  await load;
  expect([mine.state.kind, mine.me]).toEqual(["signin", null]);
});

describe("signing out", () => {
  const draft = begin(samplePage("link"));

  test.each([
    [false, 1],
    [true, 0],
  ])("with forgetting %s leaves %d pages on the device", async (forget, left) => {
    session.take(TOKEN);
    await store.update("ada-ref", draft.page.id, () => fresh("ada-ref", draft, "tab"));
    const mine = account();
    await mine.load();
    expect(mine.kept).toHaveLength(1);

    await mine.signOut(forget);
    expect([mine.state.kind, mine.me, mine.kept]).toEqual(["signin", null, []]);
    expect(session.current()).toBeNull();
    expect(openSession().subject).toBeNull();
    expect(await store.list("ada-ref")).toHaveLength(left);
  });

  test("counts in the other tabs, too", () => {
    session.take(TOKEN);
    const other = openSession();
    session.forget();
    other.hear(shared.get("groundcrew.token"));
    expect(other.current()).toBeNull();
  });
});
