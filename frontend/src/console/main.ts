/**
 * The drawing part of the researchers' pages: makes each `data-boxes-editor` an editor for the fields that it
 * names.
 */

import { mount } from "svelte";
import { speak } from "../texts/index.svelte";
import Layers from "./Layers.svelte";
import { readSetup } from "./setup";

async function open(target: HTMLElement): Promise<void> {
  const setup = readSetup(document.getElementById(target.dataset["boxesEditor"] ?? "")?.textContent ?? "");
  if (setup === null) return;
  const layers = setup.layers.flatMap(({ name, most, field }) => {
    const found = document.getElementById(field);
    return found instanceof HTMLTextAreaElement ? [{ name, most, field: found }] : [];
  });
  await speak("en");
  const { image, minimum_side: minimumSide, label } = setup;
  mount(Layers, { target, props: { image, minimumSide, label, layers } });
  target.hidden = false;
  // The numbers say the same as the boxes, so they are folded away, unless something is wrong with them.
  for (const numbers of document.querySelectorAll("[data-numbers]")) {
    if (numbers.querySelector(".wrong") === null) numbers.removeAttribute("open");
  }
  // The surface listens on the window, since it is usually the whole of a worker's page. Here it must only
  // react to what is pressed within it.
  document.addEventListener("keydown", (event) => {
    if (event.target instanceof Node && !target.contains(event.target)) event.stopPropagation();
  });
}

const target = document.querySelector<HTMLElement>("[data-boxes-editor]");
if (target) void open(target);
