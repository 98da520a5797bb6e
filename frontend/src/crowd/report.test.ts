import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import Broken from "../pages/Broken.svelte";
import { rescue } from "../pages/rescue";
import { readRest, speak } from "../texts/index.svelte";
import Report from "./Report.svelte";

const FORM = {
  kind: "form",
  action: "https://p.example.org/mturk/externalSubmit",
  fields: { assignmentId: "A1", page: "0a1b" },
} as const;

beforeEach(async () => {
  await speak("en");
  await readRest();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  rescue.words = "";
});

describe("the last step", () => {
  it("posts the form by itself, once, and leaves a button", () => {
    const submit = vi.spyOn(HTMLFormElement.prototype, "requestSubmit").mockImplementation(() => undefined);
    render(Report, { finish: FORM });
    window.dispatchEvent(new Event("online"));
    expect(submit).toHaveBeenCalledTimes(1);
    const button = screen.getByRole<HTMLButtonElement>("button", { name: "Submit to the platform" });
    expect(button.form?.method).toBe("post");
    expect(button.form?.action).toBe(FORM.action);
    expect(Object.fromEntries(new FormData(button.form ?? undefined))).toEqual(FORM.fields);
  });

  it("waits for the network, which an empty frame would not come back from", () => {
    const submit = vi.spyOn(HTMLFormElement.prototype, "requestSubmit").mockImplementation(() => undefined);
    const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    render(Report, { finish: FORM });
    expect(submit).not.toHaveBeenCalled();
    screen.getByText(/waits for the network/);
    online.mockReturnValue(true);
    window.dispatchEvent(new Event("online"));
    expect(submit).toHaveBeenCalledTimes(1);
  });
});

describe("a page that broke", () => {
  it("says whom to write to, and the number to name; our list of tasks is nothing to who is there", () => {
    rescue.words = "Write to a@example.org and give this number: A1";
    render(Broken);
    screen.getByText(rescue.words);
    expect(screen.queryByRole("link")).toBeNull();
  });

  it("leads everybody else to the list of tasks", () => {
    render(Broken);
    screen.getByRole("link", { name: "All tasks" });
  });
});
