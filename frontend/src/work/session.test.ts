import { describe, expect, it } from "vitest";
import type { Result } from "../api/result";
import { follow, Session, TOKEN_KEY } from "./session";
import { memoryVault } from "./testing/world";
import { subjectOf, tokenIn } from "./token";
import { vault } from "./vault";

const DAY = 24 * 3600 * 1000;

describe("a token", () => {
  it.each([
    ["Nw:1abc:x-Y_z", "Nw:1abc:x-Y_z"],
    ["Nw:0:1abc:xyz", "Nw:0:1abc:xyz"],
    ["#token=Nw:3-90417-12-1772366400:1abc:x-Y_z", "Nw:3-90417-12-1772366400:1abc:x-Y_z"],
    ["  Nw:1abc:xyz\n", "Nw:1abc:xyz"],
    ["https://site/work/#token=Nw:1abc:xyz", "Nw:1abc:xyz"],
    ["https://site/work/link/#token=Nw%3A1abc%3Axyz&x=1", "Nw:1abc:xyz"],
    ["https://site/work/", null],
    ["#token=%", null],
    ["", null],
    ["two words:here", null],
  ])("in %j is %j", (pasted, token) => {
    expect(tokenIn(pasted)).toBe(token);
  });

  it("names its worker by its first part", () => {
    expect(subjectOf("Nw:1abc:xyz")).toBe("Nw");
    expect(subjectOf("Nw:3-90417-12-1772366400:1abc:xyz")).toBe("Nw");
  });
});

function session(start = memoryVault(), shared = memoryVault(), time = { now: 0 }) {
  return { own: start, shared, time, session: new Session(start, shared, () => time.now) };
}

function arrive(to: Session, hash: string): unknown[] {
  const seen: unknown[] = [];
  const history = { state: { n: 1 }, replaceState: (...what: unknown[]) => seen.push(what) };
  to.arrive({ hash, pathname: "/work/link/", search: "?a=1" }, history as unknown as History);
  return seen;
}

describe("a session", () => {
  it("takes the token out of the address, where nobody sees it any more", () => {
    const { session: s } = session();
    expect(arrive(s, "#token=ada:1:s")).toEqual([[{ n: 1 }, "", "/work/link/?a=1"]]);
    expect([s.current(), s.subject]).toEqual(["ada:1:s", "ada"]);
    expect(arrive(s, "#help")).toEqual([]);
  });

  it("lasts over a reload, and reaches new tabs", () => {
    const { session: s, own, shared } = session();
    s.take("ada:1:s");
    expect(session(own, memoryVault()).session.current()).toBe("ada:1:s");
    expect(session(memoryVault(), shared).session.current()).toBe("ada:1:s");
  });

  it("keeps its own worker when another tab is somebody else's", () => {
    const { session: s, shared } = session();
    s.take("ada:1:s");
    session(memoryVault(), shared).session.take("bob:1:s");
    s.hear(shared.get(TOKEN_KEY));
    expect(s.subject).toBe("ada");
  });

  it("tries an old bookmark only when the fresh token fails", () => {
    const { session: s } = session();
    s.take("ada:2:s");
    arrive(s, "#token=ada:1:s");
    expect(s.current()).toBe("ada:2:s");
    expect(s.rejected("ada:2:s")).toBe("ada:1:s");
    expect(s.rejected("ada:1:s")).toBeNull();
    expect([s.current(), s.subject]).toEqual([null, "ada"]);
  });

  it("follows a link to another worker", () => {
    const { session: s } = session();
    s.take("ada:2:s");
    arrive(s, "#token=bob:1:s");
    expect(s.subject).toBe("bob");
  });

  it("tells when a link or another tab changes who works here, and not of what changes nothing", () => {
    const { session: s, shared } = session();
    let told = 0;
    const end = s.listen(() => told++);
    arrive(s, "#token=ada:1:s");
    expect(told).toBe(1);
    arrive(s, "#token=ada:1:s");
    s.hear(shared.get(TOKEN_KEY));
    expect(told).toBe(1);
    session(memoryVault(), shared).session.forget();
    s.hear(shared.get(TOKEN_KEY));
    expect([told, s.subject]).toEqual([2, null]);
    s.hear(shared.get(TOKEN_KEY));
    end();
    arrive(s, "#token=bob:1:s");
    expect(told).toBe(2);
  });

  it.each([
    ["nobody", null, 0],
    ["the same worker", "ada:1:s", 0],
    ["another worker", "bob:1:s", 1],
  ])("opens a link over the page of %s, loaded anew %#", (_, before, loads) => {
    const { session: s } = session();
    if (before !== null) s.take(before);
    let loaded = 0;
    const address = { hash: "#token=ada:2:s", pathname: "/work/", search: "", reload: () => loaded++ };
    follow(s, address, { state: null, replaceState: () => undefined } as unknown as History);
    expect([s.subject, loaded]).toEqual(["ada", loads]);
  });

  it("never sends another worker's token in this one's place", () => {
    const { session: s } = session();
    s.take("ada:1:s");
    s.take("bob:1:s");
    expect(s.rejected("ada:1:s")).toBeNull();
  });

  it("gets what another tab got meanwhile", () => {
    const { session: s, shared } = session();
    s.take("ada:1:s");
    session(memoryVault(), shared).session.take("ada:2:s");
    expect(s.rejected("ada:1:s")).toBe("ada:2:s");
  });

  it("asks for a fresh token once a day", async () => {
    const { session: s, time } = session();
    let asked = 0;
    const ask = async (): Promise<Result<{ token: string }>> => ({
      ...{ ok: true, status: 200, retryAfter: null },
      data: { token: `ada:fresh${++asked}:s` },
    });
    s.take("ada:1:s");
    for (const now of [0, 1, DAY - 1, DAY, DAY + 1]) {
      time.now = now;
      await s.freshen(ask);
    }
    expect([asked, s.current()]).toEqual([2, "ada:fresh2:s"]);
  });

  it("does not become somebody else by a fresh token", async () => {
    const { session: s } = session();
    s.take("ada:1:s");
    await s.freshen(async () => ({ ok: true, status: 200, retryAfter: null, data: { token: "bob:1:s" } }));
    expect(s.current()).toBe("ada:1:s");
  });

  it("starts anew with what it cannot read", () => {
    for (const junk of ["{", "1", '{"token":5,"renewAt":0}', '{"token":"no","renewAt":0}']) {
      const own = memoryVault();
      own.set(TOKEN_KEY, junk);
      expect(session(own).session.subject).toBeNull();
    }
  });

  it("remembers in memory where storage is full", () => {
    const full = vault(() => ({ getItem: () => null, setItem: () => fail() }) as unknown as Storage);
    full.set("a", "b");
    expect(full.get("a")).toBe("b");
  });
});

function fail(): never {
  throw new DOMException("no room", "QuotaExceededError");
}
