import { fireEvent, render, screen } from "@testing-library/svelte";
import { beforeEach, expect, test, vi } from "vitest";
import { speak } from "../texts/index.svelte";
import en from "../texts/en/work";
import { keep } from "./device";
import { Sample } from "./sample.svelte";
import Workbench from "./Workbench.svelte";

vi.mock("../picture/Picture.svelte", () => import("../stages/testing/FakePicture.svelte"));
vi.mock("../picture/preload", () => ({ preload: vi.fn() }));

beforeEach(() => {
  keep("seen-link", "yes");
});

test.each([
  ["asks for the page again: a link to it may have run out", false, 1],
  ["of a sample asks nobody", true, 0],
])("a photograph that does not come %s", async (_name, sample, times) => {
  const work = new Sample("link");
  const retry = vi.spyOn(work, "retry");
  render(Workbench, { work, sample });
  await fireEvent.click(screen.getByText("broken"));
  expect(retry).toHaveBeenCalledTimes(times);
});

test.each([
  [undefined, en.over],
  ["It is paid all the same.", "It is paid all the same."],
])("says once the lease is over what it was told to say: %s", (over, said) => {
  const work = new Sample("link");
  Object.assign(work, { lease: "over" });
  render(Workbench, { work, ...(over && { over }) });
  screen.getByText(said);
});

test.each([
  [null, "Page sent: unpaid"],
  [{ amount: 25, currency: "USD" }, "Page sent: $0.25"],
])("a page that was sent says what it pays: %j", (reward, said) => {
  const work = new Sample("link");
  Object.assign(work, { receipt: { id: "p", accepted: 1, acknowledged: 0, reward } });
  render(Workbench, { work });
  screen.getByText(said);
});

test.each([
  [null, "unpaid"],
  [{ amount: 25, currency: "USD" }, "$0.25"],
])("the receipt says what the page pays: %j", async (reward, said) => {
  const work = new Sample("link");
  const receipt = { id: "p", accepted: 1, acknowledged: 0, reward };
  Object.assign(work, { phase: { kind: "done", receipt } });
  render(Workbench, { work });
  expect((await screen.findByText("For this page")).nextElementSibling?.textContent).toBe(said);
});

test("who asks for work is told when there was none", async () => {
  const work = new Sample("link");
  Object.assign(work, { phase: { kind: "nothing" } });
  render(Workbench, { work });
  await screen.findByText(/Asked last at \d+:\d\d:\d\d/);
});

test("the language is changed while working, and the answers stay", async () => {
  const work = new Sample("link");
  render(Workbench, { work });
  work.change({ answer: { same: true } });
  const menu = document.querySelector("header details") as HTMLDetailsElement;
  menu.open = true;
  menu.dispatchEvent(new Event("toggle"));
  const choice = await screen.findByRole("combobox", { name: "Language" });
  await fireEvent.change(choice, { target: { value: "de" } });
  expect(await screen.findByText("Sprache")).toBeTruthy();
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Gleich oder verschieden");
  expect(work.draft?.entries[0]?.answer).toEqual({ same: true });
  await speak("en");
});
