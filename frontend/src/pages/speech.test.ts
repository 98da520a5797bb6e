import { render, screen } from "@testing-library/svelte";
import { SvelteMap } from "svelte/reactivity";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import page from "../../index.html?raw";
import about from "../../package.json";
import { readRest, rest, speak, text } from "../texts/index.svelte";
import type { Phase, WorkView } from "../work/view";
import Aside from "./Aside.svelte";
import { keep } from "./device";
import Overview from "./Overview.svelte";
import Phases from "./Phases.svelte";
import { Sample } from "./sample.svelte";
import Workbench from "./Workbench.svelte";

vi.mock("../picture/Picture.svelte", () => import("../stages/testing/FakePicture.svelte"));
vi.mock("../picture/preload", () => ({ preload: vi.fn() }));

/** The server speaks English, which a screen reader must not read as German, and its text only repeats ours. */
const SERVER = "The server says so.";

beforeEach(async () => {
  await speak("de");
  await readRest();
});
afterEach(() => speak("en"));

function at(phase: Phase, online = true): WorkView {
  const work = new Sample("link");
  work.phase = phase;
  return Object.defineProperty(work, "online", { value: online });
}

test("who may not work is told so in their language only", () => {
  render(Phases, { work: at({ kind: "refused", detail: SERVER }) });
  expect(screen.getByText(rest().phase.refusedWords)).toBeTruthy();
  expect(screen.queryByText(SERVER)).toBeNull();
});

test("what else failed is the server's word, marked as English", () => {
  render(Phases, { work: at({ kind: "failed", detail: SERVER }) });
  expect(screen.getByText(SERVER).lang).toBe("en");
});

test("who holds too many pages is told how many, and led to them", () => {
  render(Phases, { work: at({ kind: "failed", detail: SERVER, held: 6 }) });
  expect(screen.getByText(/^Sie haben 6 Seiten angefangen\./)).toBeTruthy();
  expect(screen.queryByText(SERVER)).toBeNull();
  expect(screen.getByRole("link", { name: "Alle Aufgaben" }).getAttribute("href")).toBe("work/");
});

test("without a network the browser's own word for it is not shown", () => {
  render(Phases, { work: at({ kind: "failed", detail: "Failed to fetch" }, false) });
  expect(screen.getByText(text().work.unreachable)).toBeTruthy();
  expect(screen.queryByText("Failed to fetch")).toBeNull();
});

test("a page that could not be delivered says why in the language in use", () => {
  render(Aside, {
    page: { id: "a", stage: "link", answers: 2, detail: SERVER },
    onseen: () => undefined,
  });
  expect(screen.getByRole("alert").textContent).toContain("gehört Ihnen nicht mehr");
  expect(screen.queryByText(SERVER, { exact: false })).toBeNull();
});

test("what the server says of an answer is marked as English, in the overview and at the question", () => {
  keep("seen-link", "yes");
  const work = new Sample("link");
  const { draft } = work;
  const problems = new SvelteMap([
    [0, SERVER],
    [draft.page.items.length, "Of the whole page."],
  ]);
  const view = render(Overview, {
    draft,
    problems,
    ongo: () => undefined,
    onsubmit: () => undefined,
    onrefresh: null,
  });
  expect(screen.getByText(SERVER).lang).toBe("en");
  expect(screen.getByText("Of the whole page.").lang).toBe("en");
  view.unmount();
  Object.defineProperty(work, "problems", { value: problems });
  render(Workbench, { work });
  expect(screen.getByText(SERVER).lang).toBe("en");
});

test("a wish that was not met is told without the server's words", () => {
  expect(text().work.notice(SERVER)).not.toContain(SERVER);
});

test("what is said before a language is loaded is there in both", () => {
  const shown = new DOMParser().parseFromString(page, "text/html");
  const told = [...shown.querySelectorAll("#unloaded p")];
  expect(told.map((words) => words.getAttribute("lang"))).toEqual([null, "de"]);
  const oldest = about.browserslist.map((one) => one.split(" ").at(-1) ?? "");
  for (const words of told) for (const version of oldest) expect(words.textContent).toContain(version);
  expect(shown.querySelector("noscript")?.innerHTML).toContain('lang="de"');
});
