/** Whether the magnifier is shown. It is one choice for all pictures, and is kept for later pages. */

import { vault } from "../work/vault";

const SETTING = "groundcrew-magnifier";
const kept = vault(() => localStorage);

let wanted = $state(kept.get(SETTING) !== "off");

export function magnifies(): boolean {
  return wanted;
}

export function magnify(wish: boolean): void {
  wanted = wish;
  kept.set(SETTING, wish ? "on" : "off");
}
