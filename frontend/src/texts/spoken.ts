/** Before every test file: components speak English, as they do once main.ts has loaded it. */

import { speak } from "./index.svelte";

await speak("en");
