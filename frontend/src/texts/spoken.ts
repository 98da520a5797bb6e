/** Before every test file: components speak English, as they do once main.ts has loaded it, and nothing is kept from
 * the file before, which may have been in the same browser. */

import { speak } from "./index.svelte";

localStorage.clear();
sessionStorage.clear();
document.body.replaceChildren();
await speak("en");
