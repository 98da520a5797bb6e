/** Small strings in the browser's storage, or in memory, since storage may throw within other sites' frames. */

export interface Vault {
  get(key: string): string | null;
  set(key: string, value: string): void;
}

/**
 * `open` returns the storage and may throw, as may every use of it. What the storage does not accept is kept in
 * memory.
 */
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
        // It is forbidden or full. What is in memory lasts as long as this tab.
      }
    },
  };
}
