/** Which of the errors in the page are of these pages: extensions and link scanners run here, too. */

/**
 * Whether a rejection that nobody handled came from code of this origin. What is no error, or names no file of
 * ours in its stack, was thrown by something else.
 */
export function isOurs(reason: unknown, origin: string): boolean {
  return reason instanceof Error && (reason.stack ?? "").includes(`${origin}/`);
}
