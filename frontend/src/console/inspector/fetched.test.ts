import { expect, test, vi } from "vitest";
import { fetched } from "./fetched";
import { readSetup } from "./setup";
import { sayDay } from "./chain-history";

const never = new AbortController().signal;
const ask = (response: Response): Promise<unknown> => {
  vi.spyOn(window, "fetch").mockResolvedValue(response);
  return fetched("/merged.json", { iou: "0.8" }, never);
};

test("what the server refuses is said in its words", async () => {
  await expect(ask(Response.json({ error: "iou has to be less" }, { status: 400 }))).rejects.toThrow(
    "iou has to be less",
  );
  await expect(ask(Response.json({ chains: 1 }))).resolves.toEqual({ chains: 1 });
});

test("a page in its place means that somebody was logged out", async () => {
  const page = new Response("<html>", { headers: { "content-type": "text/html" } });
  await expect(ask(page)).rejects.toThrow("not logged in");
});

test("a server that does not answer is said", async () => {
  vi.spyOn(window, "fetch").mockRejectedValue(new TypeError("network"));
  await expect(fetched("/x", {}, never)).rejects.toThrow("does not answer");
});

test("times are said in UTC", () => {
  expect(sayDay("2026-03-01T12:05:00+00:00")).toBe("1 Mar 12:05");
});

test.each(["", "null", "{}", "[1]"])("%j is no setup", (json) => {
  expect(readSetup(json)).toBeNull();
});
