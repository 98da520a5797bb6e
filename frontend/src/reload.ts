/**
 * Loads the document again if a file that it names is missing. While a site is upgraded, the document may come from
 * a server of one version, and the file may be asked of a server of the other version, which does not have it.
 *
 * For other files, it does so only until something is shown: later, a reload would interrupt work, and the page says
 * itself what is missing. This script is built as `reload.js`: without a hash in its name, every version has it. It
 * also shows what is said where no other script can be read.
 */
const KEY = "groundcrew-reloads";
const MAX_TRIES = 11;
/** Milliseconds after which earlier tries no longer count. */
const FORGET = 120_000;
/** Milliseconds after which a page without anything on it says what it may lack. On a slow line, it comes later. */
const PATIENCE = 15_000;
const element = (id: string) => document.getElementById(id);
let waiting = false;

/** Says that nothing can be loaded, even if the page is there, but without its style. */
const say = (): void => element("unloaded")?.removeAttribute("hidden");

/** Returns the milliseconds before a try. Together they are about a minute, in which most servers are replaced. */
const pause = (tries: number): number => 300 * 1.5 ** tries;

/** Returns whether a style sheet failed. It is then missing, or without rules, or its rules cannot be read. */
function isWithoutRules({ sheet }: HTMLLinkElement): boolean {
  try {
    return !sheet?.cssRules.length;
  } catch {
    return true;
  }
}

/** Returns how often this page was loaded again lately. It fails if the browser keeps nothing. */
function earlier(): number {
  const [tries = 0, last = 0] = (sessionStorage.getItem(KEY) ?? "").split(" ").map(Number);
  return Date.now() - last < FORGET ? tries : 0;
}

async function reload(): Promise<void> {
  if (waiting) return;
  waiting = true;
  try {
    for (let tries = earlier(); tries < MAX_TRIES;) {
      await new Promise((done) => setTimeout(done, pause(tries)));
      tries += 1;
      sessionStorage.setItem(KEY, `${tries} ${Date.now()}`);
      if (
        await fetch(location.pathname).then(
          ({ ok }) => ok,
          () => false,
        )
      ) {
        location.reload();
        return;
      }
      // The network or the server is away. After a reload, there would be no page to go on trying.
      say();
    }
  } catch {
    // If tries cannot be counted, there would be no end of them.
  }
  say();
}

// Without one of these, nothing is shown, or all of it without style.
const own: unknown[] = [...document.querySelectorAll("script, link[rel=stylesheet]")];
addEventListener("error", ({ target }) => own.includes(target) && void reload(), true);
addEventListener("vite:preloadError", () => element("app")?.firstChild ?? void reload());
// A style sheet may have failed before this script ran. One that still comes has no rules yet, and WebKit runs this
// script before its style sheets have come. So it is asked once everything has come, or has failed.
addEventListener("load", () => {
  if (own.some((one) => one instanceof HTMLLinkElement && isWithoutRules(one))) void reload();
});
// A browser that cannot read the other scripts tells nobody. This one is built for older ones, too.
setTimeout(() => element("app")?.firstChild ?? say(), PATIENCE);
