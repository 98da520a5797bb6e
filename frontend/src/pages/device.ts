/** Small choices that are kept on this device: language, colours, which instructions were seen. */

import { vault } from "../work/vault";

const device = vault(() => localStorage);
const named = (name: string): string => `groundcrew-${name}`;

/** Returns what was kept under a name, or null. */
export function recall(name: string): string | null {
  return device.get(named(name));
}

export function keep(name: string, value: string): void {
  device.set(named(name), value);
}
