/** Which errors in the page come from these pages, since extensions and link scanners run here, too. */

/**
 * Whether a rejection that nobody handled came from code of this origin. If it is not an error, or its stack
 * names none of our files, something else threw it.
 */
export function isOurs(reason: unknown, origin: string): boolean {
  return reason instanceof Error && (reason.stack ?? "").includes(`${origin}/`);
}
