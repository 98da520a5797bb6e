/** The code for suggestions cannot be loaded: boxes are drawn without them, and no answer says they were shown. */
import { fireEvent, screen } from "@testing-library/svelte";
import { beforeAll, expect, test, vi } from "vitest";
import Drawing from "../stages/Drawing.svelte";
import { clock, firstQuestion, press, show } from "../stages/testing/show";
import { viewOf } from "../pages/views";
import { readRest } from "../texts/index.svelte";
import { begin, change, replies } from "../work/draft";
import { page } from "../work/testing/page";

vi.mock("../surface/Surface.svelte", () => import("../stages/testing/FakeSurface.svelte"));
vi.mock("./CheckPicture.svelte", () => import("../stages/testing/FakeCheckPicture.svelte"));
vi.mock("./later", async (original) => ({
  ...(await original<typeof import("./later")>()),
  suggesting: () => Promise.reject(new Error("offline")),
}));

beforeAll(readRest);
const suggestions = [[10, 20, 110, 220, 0.9]];

test("all boxes of a chain are drawn without them", async () => {
  const pass = clock();
  const shown = show("boxes", {}, { ...firstQuestion("boxes"), boxes: [], points: [], suggestions });
  pass(1000);
  await Promise.resolve();
  await press("1");
  expect(shown.entry()).toMatchObject({ answer: null });
  await fireEvent.click(screen.getByText("draw"));
  expect(shown.entry().answer).toEqual({ boxes: [{ box: [10, 20, 110, 70], scale: 0.1235 }] });
  expect(shown.entry().also).toBeUndefined();
});

test("one box is drawn in the usual view", async () => {
  expect(await viewOf("drawing", suggestions)).toBe(Drawing);
  // Otherwise it would be fetched, and the view made anew, with every change of the draft.
  expect(viewOf("drawing", suggestions)).toBe(Drawing);
  expect(viewOf("drawing")).toBe(Drawing);
});

test("an answer says that suggestions were shown only if they were", () => {
  const draft = begin({ ...page(1), stage: "drawing" });
  const answer = { box: null };
  expect(replies(change(draft, { answer }))[0]).not.toHaveProperty("suggestions_shown");
  expect(replies(change(draft, { answer, also: { suggestions_shown: true } }))[0]).toMatchObject({
    suggestions_shown: true,
  });
});
