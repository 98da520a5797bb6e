import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Outcome } from "../api/types";
import { readRest, speak } from "../texts/index.svelte";
import Ended from "./Ended.svelte";

const FAILED: Outcome = {
  passed: false,
  right: 1,
  asked: 4,
  pass_mark: 0.8,
  state: "failed",
  tries_left: 0,
  retry_in: null,
};
const show = (outcome: Outcome, context = new Map<string, unknown>()) =>
  render(Ended, { props: { outcome, contact: "", onwork: () => undefined }, context });

beforeEach(async () => {
  await speak("en");
  await readRest();
});
afterEach(cleanup);

describe("a test that was not passed", () => {
  it("leads back to the platform where it is paid", () => {
    const leave = vi.fn();
    show(FAILED, new Map([["leave", leave]]));
    screen.getByRole("button", { name: "Back to the platform" }).click();
    expect(leave).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole("link", { name: "All tasks" })).toBeNull();
  });

  it("leads to the list of tasks elsewhere", () => {
    show(FAILED);
    screen.getByRole("link", { name: "All tasks" });
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("offers the next try first", () => {
    show({ ...FAILED, tries_left: 1 }, new Map([["leave", () => undefined]]));
    screen.getByRole("button", { name: /Try again/ });
    expect(screen.queryByRole("button", { name: "Back to the platform" })).toBeNull();
  });
});
