import { render } from "@testing-library/svelte";
import { tick } from "svelte";
import { beforeEach, expect, test, vi } from "vitest";
import App from "./App.svelte";
import { visit } from "./pages/navigation.svelte";
import type { Stage } from "./api/types";
import { readRest } from "./texts/index.svelte";
import { Sample } from "./pages/sample.svelte";

/** What happened to which work, by the order in which they were made. */
const happened = vi.hoisted((): string[] => []);

class Counted extends Sample {
  static made = 0;
  #number = ++Counted.made;

  constructor(stage: Stage) {
    super(stage);
    happened.push(`made ${this.#number}`);
  }
  override async start(): Promise<void> {
    happened.push(`started ${this.#number}`);
  }
  override stop(): void {
    happened.push(`stopped ${this.#number}`);
  }
}

// What the worker sees of it is not tested here.
vi.mock("./pages/Workbench.svelte", () => import("./pages/Unknown.svelte"));
vi.mock("./work/browser", () => ({ browserWork: (stage: Stage) => new Counted(stage) }));

beforeEach(async () => {
  vi.spyOn(window, "scrollTo").mockImplementation(() => undefined);
  await readRest();
});

async function shown(): Promise<void> {
  await tick();
  await new Promise((resolve) => setTimeout(resolve));
  await tick();
}

test("a stage that is left is stopped, and the next one is another", async () => {
  visit({ page: "stage", stage: "link" });
  render(App);
  await shown();
  expect(happened).toEqual(["made 1", "started 1"]);

  visit({ page: "stage", stage: "quality" });
  await shown();
  expect(happened.sort()).toEqual(["made 1", "made 2", "started 1", "started 2", "stopped 1"]);

  visit({ page: "unknown" });
  await shown();
  expect(happened.filter((what) => what.startsWith("stopped")).sort()).toEqual(["stopped 1", "stopped 2"]);
  expect(happened.filter((what) => what.startsWith("started"))).toHaveLength(2);
});
