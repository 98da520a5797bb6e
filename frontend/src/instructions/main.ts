/** The editor of a project's instructions. */

import { mount } from "svelte";
import { speak } from "../texts/index.svelte";
import Editor from "./Editor.svelte";
import { readEditor } from "./setup";

async function open(target: HTMLElement): Promise<void> {
  const setup = readEditor(document.getElementById(target.dataset["instructions"] ?? "")?.textContent ?? "");
  const token = document.querySelector<HTMLInputElement>("[name=csrfmiddlewaretoken]")?.value ?? "";
  if (setup === null) return;
  await speak("en");
  target.replaceChildren();
  mount(Editor, {
    target,
    props: {
      setup,
      token,
      go: (address) => {
        location.assign(address);
      },
    },
  });
  // The surface listens on the window, since it is usually the whole of a worker's page.
  document.addEventListener("keydown", (event) => {
    if (event.target instanceof Element && !event.target.closest("dialog")) event.stopPropagation();
  });
}

const target = document.querySelector<HTMLElement>("[data-instructions]");
if (target) void open(target);
