/** How a worker reaches the researcher. */

/** Returns a link to an e-mail address or a site, or null for anything else, which is shown as text or not at all. */
export function contactLink(contact: string): string | null {
  const words = contact.trim();
  // It must be one address and nothing else, since a mailto link would also accept "?bcc=" and the like.
  if (/^[^\s@?&%,;:<>"]+@[^\s@?&%,;:<>"/]+\.[^\s@?&%,;:<>"/]+$/.test(words)) return `mailto:${words}`;
  const address = parsed(words);
  return address?.protocol === "https:" && !address.username ? address.href : null;
}

/** Returns an address, or null for what is none. Browsers before autumn 2023 have no `URL.canParse`. */
function parsed(words: string): URL | null {
  try {
    return new URL(words);
  } catch {
    return null;
  }
}
