/** Mounts a component on a page of the console, with what the page has written into a script of JSON. */

import { mount, type Component } from "svelte";
import { speak } from "../texts/index.svelte";

export interface Embedded<Setup> {
  setup: Setup;
  /** The token against forged requests, for requests of the component. */
  token: string;
  go: (address: string) => void;
}

/** Mounts the component on the element with this `data-` name, whose value is the id of the script. */
export async function embed<Setup>(
  name: string,
  component: Component<Embedded<Setup>>,
  read: (json: string) => Setup | null,
): Promise<void> {
  const target = document.querySelector<HTMLElement>(`[data-${name}]`);
  if (!target) return;
  const setup = read(document.getElementById(target.dataset[name] ?? "")?.textContent ?? "");
  const token = document.querySelector<HTMLInputElement>("[name=csrfmiddlewaretoken]")?.value ?? "";
  if (setup === null) return;
  await speak("en");
  target.replaceChildren();
  mount(component, { target, props: { setup, token, go: (address) => location.assign(address) } });
}
