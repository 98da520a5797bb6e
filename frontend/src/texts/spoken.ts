/**
 * Runs before every test file. Components speak English, as they do once main.ts has loaded it. Nothing is
 * kept from the file before, which may have run in the same browser.
 */

import { configure } from "@testing-library/svelte";
import { speak } from "./index.svelte";

configure({ asyncUtilTimeout: 10_000 }); // beside other work, a part that is loaded late takes seconds
localStorage.clear();
sessionStorage.clear();
document.body.replaceChildren();
// As in index.html: wherever a test goes, addresses are relative to the site's.
document.head.innerHTML = '<base href="/" />';
await speak("en");
