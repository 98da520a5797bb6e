import { describe, expect, it, vi } from "vitest";
import { createApi } from "../api/client";
import { Later } from "../work/later";
import { Time } from "../work/testing/world";
import type { Arrival } from "./arrival";
import { callsOf } from "./place";
import { isBegun, Visit, type Begun } from "./visit.svelte";

const FORM = { kind: "form", action: "https://p.example.org/x", fields: { assignmentId: "A1" } } as const;
const BEGUN: Begun = {
  token: "WzEsMl0:1:x",
  stage: "link",
  key: "A1",
  state: "working",
  pages: 3,
  pages_done: 0,
  pays_failed_test: false,
  finish: FORM,
  contact: "",
};
const CAME: Arrival = { kind: "accepted", path: "crowd/sessions", body: { publication: "0a1b" } };

type Said = object | number | "offline";

/** A visit whose calls get these answers in turn. */
function visitOf(...said: Said[]) {
  const time = new Time();
  const bodies: unknown[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    bodies.push(await request.json());
    const next = said.shift() ?? "offline";
    if (next === "offline") throw new TypeError("no network");
    const [status, data] = typeof next === "number" ? [next, { detail: "no" }] : [200, next];
    return Response.json(data, { status });
  };
  const api = createApi(
    { current: () => "anybody", rejected: () => null },
    { base: "http://127.0.0.1/", fetch },
  );
  const later = new Later(
    time,
    () => 0,
    () => true,
  );
  const made = (arrival: Arrival) => new Visit(arrival, api, later);
  return { made, time, bodies };
}

describe("a visit from a platform", () => {
  it("says who came, and begins with what there is to do", async () => {
    const { made, bodies } = visitOf(BEGUN);
    const visit = made(CAME);
    await visit.begin();
    expect(visit.state).toEqual({ kind: "working", begun: BEGUN });
    expect(bodies).toEqual([{ publication: "0a1b" }]);
  });

  it("asks nothing before the task is accepted", async () => {
    const { made, bodies } = visitOf();
    for (const kind of ["preview", "nobody"] as const) {
      const visit = made({ kind });
      await visit.begin();
      expect(visit.state).toEqual({ kind });
    }
    expect(bodies).toEqual([]);
  });

  it("goes straight to reporting where the page was submitted before", async () => {
    const begun = { ...BEGUN, state: "submitted" };
    const visit = visitOf(begun).made(CAME);
    await visit.begin();
    expect(visit.state).toEqual({ kind: "reporting", begun, finish: FORM });
  });

  it("is over once the platform knows", async () => {
    const visit = visitOf({ ...BEGUN, state: "over", finish: null }).made(CAME);
    await visit.begin();
    expect(visit.state.kind).toBe("over");
  });

  it.each([
    [404, "gone"],
    [409, "crowded"],
    [400, "address"],
  ])("says plainly why there is nothing to do: %i", async (status, why) => {
    const visit = visitOf(status).made(CAME);
    await visit.begin();
    expect(visit.state).toEqual({ kind: "refused", why });
  });

  it("tries again by itself while the server is away", async () => {
    const { made, time } = visitOf("offline", 503, BEGUN);
    const visit = made(CAME);
    await visit.begin();
    expect(visit.state.kind).toBe("failed");
    await time.pass(60);
    expect(visit.state.kind).toBe("working");
  });

  it.each([
    [429, true],
    [503, false],
  ])("tells who comes from a busy network from a server that is away: %i", async (status, limited) => {
    const { made, time } = visitOf(status, BEGUN);
    const visit = made(CAME);
    await visit.begin();
    expect(visit.state).toEqual({ kind: "failed", limited });
    await time.pass(60);
    expect(visit.state.kind).toBe("working");
  });

  it("asks once whether the place has ended, if no page comes after those that are done", async () => {
    const one = { ...BEGUN, pages_done: 1 };
    const { made, bodies } = visitOf(BEGUN, one, one, { ...one, state: "submitted" });
    const visit = made(CAME);
    await visit.begin();
    await visit.end(BEGUN);
    expect(bodies).toHaveLength(1); // nothing is done: it waits for its first page
    await visit.begin();
    await visit.end(one);
    expect(bodies).toHaveLength(3);
    await visit.end(one);
    expect(bodies).toHaveLength(3); // it has not ended: nothing is asked again by itself
    expect(visit.state.kind).toBe("working");
    await visit.begin();
    expect(visit.state.kind).toBe("reporting");
  });

  it("says that there is no work, and how the platform is told", async () => {
    const begun: Begun = { ...BEGUN, token: "", state: "away", finish: { kind: "code", code: "OUT" } };
    const visit = visitOf(begun).made(CAME);
    await visit.begin();
    expect(visit.state).toEqual({ kind: "away", begun });
  });

  it("does not go on once it is left", async () => {
    const { made, time, bodies } = visitOf("offline", BEGUN);
    const visit = made(CAME);
    await visit.begin();
    visit.stop();
    await time.pass(60);
    expect(bodies).toHaveLength(1);
  });

  it.each([
    { ...BEGUN, finish: { kind: "link", href: "javascript:alert(1)" } },
    { ...BEGUN, finish: { ...FORM, action: "data:text/html,x" } },
    { ...BEGUN, finish: { ...FORM, fields: { a: 1 } } },
    { ...BEGUN, finish: { kind: "code", code: 1 } },
    { ...BEGUN, state: "strange" },
    { ...BEGUN, token: 1 },
  ])("does not take a reply that is none", (said) => expect(isBegun(said)).toBe(false));
});

describe("the calls of a token for one page", () => {
  const api = (status: number, body: object) =>
    createApi(
      { current: () => "t:1:x", rejected: () => null },
      { base: "http://127.0.0.1/", fetch: () => Promise.resolve(Response.json(body, { status })) },
    );

  it("know of the worker what a claim was refused with", async () => {
    const calls = callsOf(api(403, { detail: "no", standing: "closed" }), { contact: "a@example.org" });
    await calls.claim("link");
    const me = await calls.me();
    expect(me.ok && me.data.stages.map(({ stage, standing }) => [stage, standing])).toEqual([
      ["link", "closed"],
    ]);
    expect(me.ok && me.data.contact).toBe("a@example.org");
  });

  it("ask for no account", async () => {
    const fetch = vi.fn();
    const calls = callsOf(
      createApi({ current: () => "t:1:x", rejected: () => null }, { base: "http://127.0.0.1/", fetch }),
      {
        contact: "",
      },
    );
    expect((await calls.me()).ok).toBe(true);
    expect(fetch).not.toHaveBeenCalled();
  });
});
