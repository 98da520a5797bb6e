/** Small strings in the browser's storage, or in memory: inside other sites' frames storage may throw. */

export interface Vault {
  get(key: string): string | null;
  set(key: string, value: string): void;
}

/** `open` gives the storage and may throw, as may every use of it: what it did not take, memory has. */
export function vault(open: () => Storage): Vault {
  const memory = new Map<string, string>();
  return {
    get(key) {
      try {
        return memory.get(key) ?? open().getItem(key);
      } catch {
        return null;
      }
    },
    set(key, value) {
      memory.set(key, value);
      try {
        open().setItem(key, value);
        memory.delete(key);
      } catch {
        // Forbidden or full: what is in memory lasts as long as this tab.
      }
    },
  };
}
