/**
 * Runs before every test file. Components speak English, as they do once main.ts has loaded it. Nothing is
 * kept from the file before, which may have run in the same browser.
 */

import { speak } from "./index.svelte";

localStorage.clear();
sessionStorage.clear();
document.body.replaceChildren();
// As in index.html: wherever a test goes, addresses are relative to the site's.
document.head.innerHTML = '<base href="/" />';
await speak("en");
