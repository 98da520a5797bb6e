/** How a worker reaches the researcher. */

/** Returns a link to an e-mail address or a site, or null for anything else, which is shown as text or not at all. */
export function contactLink(contact: string): string | null {
  const words = contact.trim();
  // It must be one address and nothing else, since a mailto link would also accept "?bcc=" and the like.
  if (/^[^\s@?&%,;:<>"]+@[^\s@?&%,;:<>"/]+\.[^\s@?&%,;:<>"/]+$/.test(words)) return `mailto:${words}`;
  const address = URL.canParse?.(words) ? new URL(words) : null;
  return address?.protocol === "https:" && !address.username ? address.href : null;
}
