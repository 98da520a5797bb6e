/** Names that no other browser makes. */

/** Returns 128 random bits in hexadecimal. Unlike `crypto.randomUUID`, it also exists on plain http. */
export function randomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((n) => n.toString(16).padStart(2, "0")).join("");
}
