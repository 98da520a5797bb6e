import { describe, expect, test } from "vitest";
import { failure, type Result } from "../api/result";
import type { Api, Call } from "../api/client";
import { codeIn, Joining, newDevice } from "./joining.svelte";

const ASKED = { project: "birds", passcode: true, name: true };
const TOKEN = { token: "MTI:1abc:signature" };
const FIELD = (pointer: string) => ({ errors: [{ pointer, detail: "no" }] });

/** An API that gives these replies in turn: a status and a body. */
function world(...replies: [status: number, body: object, wait?: number][]) {
  const calls: Call[] = [];
  const entered: string[] = [];
  const call = async (asked: Call): Promise<Result<unknown>> => {
    calls.push(asked);
    const [status, data, wait = null] = replies.shift() ?? [500, {}];
    return status < 300 ? { ok: true, status, data, retryAfter: null } : failure(status, data, wait);
  };
  const api = { call } as unknown as Pick<Api, "call">;
  const joining = new Joining(api, "the-code", "the-device", (token) => entered.push(token));
  return { joining, calls, entered };
}

describe("an invitation", () => {
  test("asks for a name and a passcode, and lets in with both", async () => {
    const { joining, calls, entered } = world([200, ASKED], [201, TOKEN]);
    await joining.load();
    expect(joining.state).toEqual({ kind: "shown" });
    await joining.join(" ", "");
    expect(joining.problem).toEqual({ field: "name", kind: "empty" });
    await joining.join("ada", "");
    expect(joining.problem).toEqual({ field: "passcode", kind: "empty" });
    expect(calls).toHaveLength(1);
    await joining.join("ada", "sesame");
    const body = { code: "the-code", device: "the-device", name: "ada", passcode: "sesame" };
    expect(calls[1]).toEqual({ method: "POST", path: "joining", body });
    expect(entered).toEqual([TOKEN.token]);
    expect(joining.busy).toBe(true); // the next page is on its way
  });

  test("asks who comes back for nothing", async () => {
    const { joining, entered } = world([200, { ...ASKED, passcode: false, name: false }], [200, TOKEN]);
    await joining.load();
    await joining.join("", "");
    expect(entered).toEqual([TOKEN.token]);
  });

  test.each([
    ["/name", "name"],
    ["/passcode", "passcode"],
  ] as const)("says what is wrong with %s, and can be tried again", async (pointer, field) => {
    const { joining, entered } = world([200, ASKED], [400, FIELD(pointer)], [201, TOKEN]);
    await joining.load();
    await joining.join("ada", "x");
    expect(joining.problem).toEqual({ field, kind: "refused" });
    expect(joining.state).toEqual({ kind: "shown" });
    await joining.join("ada", "y");
    expect(joining.problem).toBeNull();
    expect(entered).toHaveLength(1);
  });

  test.each([
    [404, {}, 0, "cut"],
    [400, FIELD("/code"), 0, "cut"],
    [409, {}, 0, "used"],
    [410, {}, 0, "over"],
    [403, {}, 0, "closed"],
    [429, {}, 300, "limited"],
    [503, {}, 2, "offline"],
  ] as const)("says why it cannot be used: %i", async (status, body, wait, kind) => {
    const { joining } = world([status, body, wait], [200, ASKED], [status, body, wait]);
    await joining.load();
    expect(joining.state).toEqual({ kind });
    await joining.load();
    await joining.join("ada", "x");
    expect(joining.state).toEqual({ kind });
    expect(joining.busy).toBe(false);
  });

  test("without a code asks nobody", async () => {
    const none = new Joining({ call: () => Promise.reject(new Error()) }, "", "d", () => undefined);
    await none.load();
    expect(none.state).toEqual({ kind: "cut" });
  });
});

test.each(["#aB3-_", "#aB3-_?participantId=p7", "#aB3-_&id=7?x"])(
  "what a platform appends to an address is not part of its code: %s",
  (hash) => expect(codeIn(hash)).toBe("aB3-_"),
);

test("no two devices are the same, and the server takes them", () => {
  const made = [newDevice(), newDevice()];
  expect(made[0]).not.toBe(made[1]);
  for (const device of made) expect(device).toMatch(/^[\w-]{16,64}$/);
});
