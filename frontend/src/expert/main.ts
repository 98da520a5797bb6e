/** The expert screen: one person annotates a whole image. */

import { mount } from "svelte";
import { speak } from "../texts/index.svelte";
import Expert from "./Expert.svelte";
import { readSetup } from "./setup";

async function open(target: HTMLElement): Promise<void> {
  const setup = readSetup(document.getElementById(target.dataset["expert"] ?? "")?.textContent ?? "");
  const token = document.querySelector<HTMLInputElement>("[name=csrfmiddlewaretoken]")?.value ?? "";
  if (setup === null) return;
  await speak("en");
  target.replaceChildren();
  mount(Expert, {
    target,
    props: {
      setup,
      token,
      go: (address) => {
        location.assign(address);
      },
    },
  });
}

const target = document.querySelector<HTMLElement>("[data-expert]");
if (target) void open(target);
