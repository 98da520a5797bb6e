/** Small choices kept on this device: language, colours, which instructions were seen. */

const memory = new Map<string, string>();
const named = (name: string): string => `groundcrew-${name}`;

/** What was kept under a name, or null. */
export function recall(name: string): string | null {
  try {
    return localStorage.getItem(named(name)) ?? memory.get(name) ?? null;
  } catch {
    // A frame that may not store anything: what was chosen holds until it is closed.
    return memory.get(name) ?? null;
  }
}

export function keep(name: string, value: string): void {
  memory.set(name, value);
  try {
    localStorage.setItem(named(name), value);
  } catch {
    // As above; a full storage is the same.
  }
}
