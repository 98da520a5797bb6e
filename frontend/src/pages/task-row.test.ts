import { render, screen } from "@testing-library/svelte";
import { beforeAll, expect, test } from "vitest";
import { readRest, text } from "../texts/index.svelte";
import type { Row } from "./rows";
import TaskRow from "./TaskRow.svelte";

beforeAll(readRest);

const row = (draft: Row["draft"]): Row => ({ stage: "quality", key: "5", standing: null, draft, unsent: 0 });

test("one can go on with a page in hand before the server has said anything, as without a network", () => {
  render(TaskRow, { row: row({ answered: 1, items: 4, over: false }), pay: null });
  expect(screen.getByText("Go on")).toBeTruthy();
  expect(screen.getByText("Page in hand: 1 of 4 answered")).toBeTruthy();
});

test("without such a page there is nothing to go on with", () => {
  render(TaskRow, { row: row(null), pay: null });
  expect([screen.queryByText("Go on"), screen.queryByText("Start")]).toEqual([null, null]);
});

test("a page whose time is over is not called in hand", () => {
  render(TaskRow, { row: row({ answered: 1, items: 4, over: true }), pay: null });
  expect(screen.queryByText(/Page in hand/)).toBeNull();
  expect(screen.getByText(text().work.over)).toBeTruthy();
  expect(screen.getByText("Go on")).toBeTruthy();
});
