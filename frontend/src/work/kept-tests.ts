/** Where answers of tests are kept: separately from those of pages, so that neither is taken for the other. */

import { LastWord } from "./lastword";
import { BrowserStore, type Store } from "./store";
import { vault, type Vault } from "./vault";

/** The same storage under other names. */
export function apart(shared: Vault): Vault {
  const own = (key: string) => `${key}.test`;
  return { get: (key) => shared.get(own(key)), set: (key, value) => shared.set(own(key), value) };
}

let store: Store | null = null;

export function keptTests(): Store {
  return (store ??= new BrowserStore(
    "groundcrew-tests",
    undefined,
    new LastWord(apart(vault(() => localStorage))),
  ));
}
