/** How a worker reaches the researcher. */

/** A link to an e-mail address or a site; null for anything else, which is shown as words or not at all. */
export function contactLink(contact: string): string | null {
  const words = contact.trim();
  // One address and nothing else: "?bcc=" and the like would ride along in a mailto link.
  if (/^[^\s@?&%,;:<>"]+@[^\s@?&%,;:<>"/]+\.[^\s@?&%,;:<>"/]+$/.test(words)) return `mailto:${words}`;
  const address = URL.canParse?.(words) ? new URL(words) : null;
  return address?.protocol === "https:" && !address.username ? address.href : null;
}
