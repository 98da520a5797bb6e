/** The document in which a researcher sees a worker's page with a project's instructions. */

import { mount } from "svelte";
import "../styles/index.css";
import { readRest, speak } from "../texts/index.svelte";
import Preview from "./Preview.svelte";
import { readPreview } from "./setup";

async function open(target: HTMLElement): Promise<void> {
  const setup = readPreview(document.getElementById("preview-setup")?.textContent ?? "");
  if (setup === null) return;
  await speak("en");
  await readRest();
  mount(Preview, { target, props: { setup } });
}

const target = document.getElementById("app");
if (target) void open(target);
