import { describe, expect, it, vi } from "vitest";
import { page } from "../work/testing/page";
import { createApi, type Tokens } from "./client";
import { failure, retryAfter } from "./result";

const HTML = { "Content-Type": "text/html" };
const JSON_TYPE = { "Content-Type": "application/json" };
const PROBLEM = { "Content-Type": "application/problem+json" };
const receipt = { id: "p", accepted: 1, acknowledged: 0, reward: null };

function tokens(...valid: string[]): Tokens {
  return {
    current: () => valid[0] ?? null,
    rejected: (token) => (valid.splice(valid.indexOf(token), 1), valid[0] ?? null),
  };
}

/** The API over a network that gives these replies in turn. */
function api(...replies: (Response | Error)[]) {
  const seen: Request[] = [];
  const fetch = async (request: Request) => {
    seen.push(request);
    const reply = replies.shift() ?? new Error("too many requests");
    if (reply instanceof Error) throw reply;
    return reply;
  };
  return { seen, api: createApi(tokens("ada:1:s"), { base: "http://server/", fetch }) };
}

const reply = (body: unknown, status = 200, headers: object = JSON_TYPE) =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers: { ...headers } });

describe("a call", () => {
  it("carries the token and no cookie", async () => {
    const { api: client, seen } = api(reply(page(1), 201));
    expect(await client.claim("link")).toMatchObject({ ok: true, status: 201, data: { id: "page-1" } });
    const request = seen[0];
    expect(request?.url).toBe("http://server/api/v1/assignments");
    expect([request?.headers.get("Authorization"), request?.credentials]).toEqual(["Bearer ada:1:s", "omit"]);
    expect(await request?.json()).toEqual({ stage: "link", key: "" });
  });

  it("says when there is no work, and when to ask again", async () => {
    const none = new Response(null, { status: 204, headers: { "Retry-After": "2" } });
    expect(await api(none).api.claim("link")).toEqual({
      ...{ ok: true, status: 204, data: undefined, retryAfter: 2 },
    });
  });

  it.each<[string, Response | Error, object]>([
    ["no network", new TypeError("Failed to fetch"), { kind: "offline" }],
    ["a hotel's page", reply("<h1>Hi</h1>", 200, HTML), { kind: "offline" }],
    ["a hotel's 404", reply("<h1>Hi</h1>", 404, HTML), { kind: "offline" }],
    ["a hotel's 401", reply("<h1>Hi</h1>", 401, HTML), { kind: "offline" }],
    ["no content type", reply("", 200, {}), { kind: "offline" }],
    ["half a reply", reply('{"id": "p", "acc', 200), { kind: "offline" }],
    ["an empty reply", reply("", 200), { kind: "offline" }],
    ["another page's receipt", reply({ ...receipt, id: "q" }), { kind: "offline" }],
    ["a proxy that is out of order", reply("Bad", 502, HTML), { kind: "busy" }],
    [
      "too many requests",
      reply("Slow", 429, { ...HTML, "Retry-After": "9" }),
      { kind: "busy", retryAfter: 9 },
    ],
    ["a busy server", reply({ detail: "Busy." }, 503, PROBLEM), { kind: "busy", detail: "Busy." }],
    ["a blocked worker", reply({ detail: "No." }, 403, PROBLEM), { kind: "refused", detail: "No." }],
    ["a strange page", reply({ detail: "None." }, 404, PROBLEM), { kind: "gone" }],
    ["a conflict", reply({ detail: "Over." }, 409, PROBLEM), { kind: "over" }],
    ["a bad token", reply({ detail: "Bad." }, 401, PROBLEM), { kind: "unauthorised" }],
  ])("that meets %s is no success", async (_, met, expected) => {
    const result = await api(met).api.submit("p", []);
    expect(result).toMatchObject({ ok: false, ...expected });
  });

  it("names the fields that were refused", async () => {
    const errors = [{ pointer: "/answers/0/answer", detail: "bad" }, "odd", { pointer: 5 }];
    const result = await api(reply({ detail: "No.", errors }, 400, PROBLEM)).api.submit("p", []);
    expect(result).toMatchObject({ kind: "invalid", detail: "No.", errors: [errors[0]] });
  });

  it("ends when the server does not answer", async () => {
    const fetch = (request: Request) =>
      new Promise<Response>((_, reject) =>
        request.signal.addEventListener("abort", () => reject(new Error("cut"))),
      );
    const client = createApi(tokens("ada:1:s"), { base: "http://server/", fetch, patience: 5 });
    expect(await client.renew("p")).toMatchObject({ ok: false, kind: "offline" });
  });

  it("is not made without a token, and made again with the next one", async () => {
    const fetch = vi.fn(async (request: Request) =>
      request.headers.get("Authorization") === "Bearer new" ? reply(receipt) : reply({}, 401, PROBLEM),
    );
    const options = { base: "http://server/", fetch };
    expect(await createApi(tokens(), options).submit("p", [])).toMatchObject({ kind: "unauthorised" });
    expect(fetch).not.toHaveBeenCalled();
    expect(await createApi(tokens("old", "new"), options).submit("p", [])).toMatchObject({ ok: true });
    expect(fetch).toHaveBeenCalledTimes(2);
  });
});

it.each([
  [null, null],
  ["", null],
  ["soon", null],
  ["5", 5],
  ["99999", 300],
  ["Thu, 01 Jan 1970 00:00:30 GMT", 20],
  ["Thu, 01 Jan 1970 00:00:01 GMT", 0],
])("Retry-After %j is %j seconds", (header, seconds) => {
  expect(retryAfter(header, 10_000)).toBe(seconds);
});

it("knows a failure without words", () => {
  expect(failure(500, null, 3)).toEqual({ ok: false, kind: "busy", detail: "HTTP 500", retryAfter: 3 });
});
