/** Returns what the server has written into the page as JSON, or null if it is something else. */
export function parsed<T>(json: string, fits: (found: Partial<T>) => boolean): T | null {
  try {
    const found = JSON.parse(json) as T | null;
    return found !== null && typeof found === "object" && fits(found) ? found : null;
  } catch {
    return null;
  }
}
