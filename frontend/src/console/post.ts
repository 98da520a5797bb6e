/** Sends something to our own server, and says how that ended. */

/** `reply`: what the server says, in whatever way it decided. Otherwise, `says` tells people what to do. */
export type Posted<Reply> = { status: number; reply: Reply & { error?: string } } | { says: string };

/** `kept` says that nothing is lost, and `large` what to do if it is too much. */
export async function post<Reply>(
  address: string,
  token: string,
  body: object,
  { kept, large = "" }: { kept: string; large?: string },
): Promise<Posted<Reply>> {
  let response: Response;
  try {
    response = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", "x-csrftoken": token },
      body: JSON.stringify(body),
    });
  } catch {
    return { says: `The server does not answer. ${kept} Save again later.` };
  }
  const { status, headers } = response;
  if ((headers.get("content-type") ?? "").startsWith("application/json"))
    return { status, reply: (await response.json()) as Reply & { error?: string } };
  if (status === 413 && large) return { says: `${large} ${kept}` };
  if (status >= 500) return { says: `The server has failed. ${kept} Save again.` };
  // Somebody who was logged out is sent a page.
  return {
    says: `You are not logged in any more, or may not save. ${kept} Log in in another tab, then save again.`,
  };
}
