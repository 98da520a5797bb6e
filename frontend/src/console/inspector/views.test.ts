import { fireEvent, render } from "@testing-library/svelte";
import { beforeEach, expect, test, vi } from "vitest";
import { speak } from "../../texts/index.svelte";
import { Lighting } from "./lighting.svelte";
import Views from "./Views.svelte";
import { layOut } from "../../picture/testing/layout";

beforeEach(async () => {
  await speak("en");
  layOut({ width: 1024, height: 624 });
  HTMLImageElement.prototype.decode = () => Promise.resolve();
});

test("an arrow goes to the next image while the picture is whole, and pans once it is not", async () => {
  const next = document.body.appendChild(document.createElement("a"));
  next.rel = "next";
  const followed = vi.fn((event: Event) => event.preventDefault());
  next.addEventListener("click", followed);
  const setup = {
    image: { id: "1", url: "photo.jpg", width: 4000, height: 3000 },
    ...{ label: "Photo", source: "gold", merged: "", history: "", chains: [] },
    ...{ iou: 0.9, iou_other: 0.8, least: 0.5 },
  };
  const lighting = new Lighting([], "");
  const part = document.createElement("div");
  render(Views, { setup, lighting, told: part, frame: part });
  await new Promise((done) => setTimeout(done));
  await fireEvent.keyDown(document.body, { key: "ArrowRight" });
  expect(followed).toHaveBeenCalledOnce();
  await fireEvent.keyDown(document.body, { key: "+" });
  await fireEvent.keyDown(document.body, { key: "ArrowRight" });
  expect(followed).toHaveBeenCalledOnce();
});
