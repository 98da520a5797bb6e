import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import Broken from "../pages/Broken.svelte";
import { rescue } from "../pages/rescue";
import { readRest, speak } from "../texts/index.svelte";
import Away from "./Away.svelte";
import Report from "./Report.svelte";
import type { Begun } from "./visit.svelte";

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

describe("a code", () => {
  it("is shown to be copied, and nothing is sent by itself", async () => {
    const assign = vi.spyOn(HTMLFormElement.prototype, "requestSubmit").mockImplementation(() => undefined);
    const writeText = vi.fn(() => Promise.resolve());
    vi.stubGlobal("navigator", { ...navigator, onLine: true, clipboard: { writeText } });
    render(Report, { finish: { kind: "code", code: "DONE7" } });
    screen.getByText("DONE7");
    expect(assign).not.toHaveBeenCalled();
    screen.getByRole("button", { name: "Copy" }).click();
    await screen.findByRole("button", { name: "Copied" });
    expect(writeText).toHaveBeenCalledWith("DONE7");
    vi.unstubAllGlobals();
  });

  it("is selected where the browser does not let the page copy it", async () => {
    vi.stubGlobal("navigator", { ...navigator, onLine: true });
    render(Report, { finish: { kind: "code", code: "DONE7" } });
    screen.getByRole("button", { name: "Copy" }).click();
    await vi.waitFor(() => expect(getSelection()?.toString()).toBe("DONE7"));
    vi.unstubAllGlobals();
  });

  const AWAY: Begun = {
    token: "",
    stage: "link",
    key: "A1",
    state: "away",
    pages: 0,
    pages_done: 0,
    pays_failed_test: false,
    finish: null,
    contact: "",
  };

  it("is for who is turned away, if the batch has one; else they read why", () => {
    const again = vi.fn();
    const { unmount } = render(Away, {
      begun: { ...AWAY, finish: { kind: "code", code: "OUT" } },
      onagain: again,
    });
    screen.getByText("OUT");
    screen.getByText(/so that it knows that you came/);
    screen.getByRole("button", { name: "Look again" }).click();
    expect(again).toHaveBeenCalledTimes(1);
    unmount();
    render(Away, { begun: AWAY, onagain: again });
    screen.getByText(/return the task on the platform/);
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
