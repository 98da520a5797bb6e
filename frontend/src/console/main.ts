/** The drawing part of the researchers' pages: every `data-boxes-editor` gets an editor for the field it names. */

import { mount } from "svelte";
import { speak } from "../texts/index.svelte";
import BoxesEditor from "./BoxesEditor.svelte";
import { readSetup } from "./setup";

async function open(): Promise<void> {
  await speak("en");
  for (const target of document.querySelectorAll<HTMLElement>("[data-boxes-editor]")) {
    const field = document.getElementById(target.dataset["boxesEditor"] ?? "");
    const setup = readSetup(document.getElementById(target.dataset["setup"] ?? "")?.textContent ?? "");
    if (!(field instanceof HTMLTextAreaElement) || setup === null) continue;
    mount(BoxesEditor, { target, props: { ...setup, field } });
    target.hidden = false;
    // The numbers are the other way to say the same; they move out of the way.
    field.closest("[data-numbers]")?.removeAttribute("open");
    quiet(target);
  }
}

/** The surface listens on the window, as it is all of a worker's page. Here only what is pressed in it is its own. */
function quiet(editor: HTMLElement): void {
  document.addEventListener("keydown", (event) => {
    if (event.target instanceof Node && !editor.contains(event.target)) event.stopPropagation();
  });
}

void open();
