/** Fetches JSON from our own server. */

/** Throws an Error with words for people. */
export async function fetched<T>(
  address: string,
  words: Record<string, string>,
  signal: AbortSignal,
): Promise<T> {
  const query = new URLSearchParams(words).toString();
  let response: Response;
  try {
    response = await fetch(`${address}?${query}`, { signal, headers: { accept: "application/json" } });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new Error("The server does not answer. Try again.", { cause: error });
  }
  // Somebody who was logged out is redirected to a page.
  if (!(response.headers.get("content-type") ?? "").startsWith("application/json")) {
    throw new Error("You are not logged in any more. Load the page again.");
  }
  const found = (await response.json()) as T & { error?: string };
  if (!response.ok) throw new Error(found.error ?? "The server has failed. Try again.");
  return found;
}
