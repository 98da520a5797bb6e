/**
 * The inspector: it shows histories, and replaces the server's still picture by pictures that react to the
 * pointer.
 */

import { mount } from "svelte";
import { speak } from "../../texts/index.svelte";
import History from "./History.svelte";
import { Lighting } from "./lighting.svelte";
import { readSetup } from "./setup";
import Views from "./Views.svelte";

async function open(frame: HTMLElement): Promise<void> {
  const setup = readSetup(document.getElementById(frame.dataset["inspector"] ?? "")?.textContent ?? "");
  const views = frame.querySelector<HTMLElement>("[data-views]");
  const told = frame.querySelector<HTMLElement>(".told");
  const past = frame.querySelector<HTMLElement>("[data-history]");
  if (setup === null || views === null || told === null || past === null) return;
  await speak("en");
  const lighting = new Lighting(
    setup.chains.map(({ letter }) => letter),
    location.hash,
  );
  views.replaceChildren();
  mount(Views, { target: views, props: { setup, lighting, told, frame } });
  mount(History, { target: past, props: { setup, lighting } });
  if (lighting.chosen !== null) afterLoad(() => views.scrollIntoView({ block: "nearest" }));
}

/**
 * A link to a chain scrolls to its line in the list. On a phone, that is far below the picture in which it is
 * lit.
 */
function afterLoad(act: () => void): void {
  if (document.readyState === "complete") requestAnimationFrame(act);
  else addEventListener("load", () => requestAnimationFrame(act), { once: true });
}

const frame = document.querySelector<HTMLElement>("[data-inspector]");
if (frame) void open(frame);
