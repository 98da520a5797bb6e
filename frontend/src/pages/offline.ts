/** Has the browser keep these pages for a reload without a network. See public/offline.js. */

import { SITE } from "../api/site";

const WORKER = `${SITE}work/offline.js`;

/** The part of the browser's Trusted Types that is used. The policy allows this one script and no other. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: () => string },
  ): {
    createScriptURL(url: string): string;
  };
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
// Made once: a second policy of the same name is refused.
const policy = trustedTypes?.createPolicy("offline-worker", { createScriptURL: () => WORKER });
const trusted = (url: string): string => (policy ? policy.createScriptURL(url) : url);

/** Returns the addresses of the scripts and styles that were loaded so far. */
function loaded(): string[] {
  return performance
    .getEntriesByType("resource")
    .map(({ name }) => name)
    .filter((name) => name.startsWith(`${location.origin}${SITE}static/pages/`));
}

/**
 * Keeps what was loaded so far. In a frame of a crowd platform nothing is kept: browsers do not let a frame keep
 * it for long, and a page of a platform cannot be opened without it.
 */
export async function keepPages(): Promise<void> {
  if (!("serviceWorker" in navigator) || window.parent !== window) return;
  try {
    await navigator.serviceWorker.register(trusted(WORKER));
    const { active } = await navigator.serviceWorker.ready;
    active?.postMessage({ files: loaded() });
  } catch {
    // A browser that is not allowed to keep anything works as before: it needs the network for a reload.
  }
}
