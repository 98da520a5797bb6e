import { expect, test } from "vitest";
import { createApi } from "../api/client";
import { sampled } from "./sampled";

const OWN = {
  id: 7,
  version: 2,
  texts: { en: "Draw tight boxes." },
  usual_examples: true,
  examples: [],
};

/** Returns the instructions of a sample whose call gets this reply, and the address that was called. */
async function shownFor(reply: () => Response): Promise<[unknown, string]> {
  let called = "";
  const fetch = (request: Request): Promise<Response> => {
    called = request.url;
    return Promise.resolve().then(reply);
  };
  const api = createApi({ current: () => "t", rejected: () => null }, { base: "http://127.0.0.1/", fetch });
  const sample = await sampled(api, "drawing", "instructions/drawing");
  return [sample.draft.page.instructions, called];
}

test("a sample shows the project's own instructions", async () => {
  const [shown, called] = await shownFor(() => Response.json({ instructions: OWN }));
  expect(shown).toEqual(OWN);
  expect(called).toBe("http://127.0.0.1/api/v1/instructions/drawing");
});

test.each([
  ["there are none", () => Response.json({ instructions: null })],
  ["nobody is signed in", () => Response.json({ detail: "no" }, { status: 401 })],
  ["the reply is a portal's", () => Response.json({ instructions: "log in first" })],
  [
    "the server cannot be reached",
    () => {
      throw new TypeError("no network");
    },
  ],
])("a sample shows the built-in instructions if %s", async (_, reply) => {
  expect((await shownFor(reply))[0]).toBeNull();
});
