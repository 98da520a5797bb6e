import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { OLDEST } from "./oldest.js";
import { alone } from "./alone.js";

const STATIC = "/static/";

/**
 * The site may be below a prefix. So addresses in the document and of pictures are relative to its <base>, and those
 * of scripts and styles to the file that wants them. With Vite's own relative addresses, all places that load a
 * file would be longer.
 */
const withinSite: Plugin = {
  name: "within-site",
  apply: "build",
  enforce: "post",
  generateBundle(_, bundle) {
    let preloads = 0;
    const relative = (text: string) =>
      text
        .replace(/(["'`])\/static\/\1(?= ?\+)/, () => {
          preloads += 1;
          return "`../`";
        })
        .replace(/(["'`])\/static\//g, "$1static/");
    for (const file of Object.values(bundle)) {
      if (file.type === "chunk") file.code = relative(file.code);
      else if (file.fileName.endsWith(".html")) file.source = relative(String(file.source));
    }
    if (preloads !== 1)
      this.error(`the function that loads files ahead was found ${preloads} times, not once`);
  },
};

/**
 * The pages that people begin with, and the views of first questions. What they need comes beside them. For all other
 * files, only style sheets are named, since each name is in the file that every worker loads.
 */
const AT_ONCE = /(joint|captions|Home|Join|Crowd)-/;

export default defineConfig(({ command }) => ({
  // Where Django serves the build (STATIC_URL). `npm run dev` serves every address itself.
  base: command === "build" ? STATIC : "/",
  plugins: [svelte(), svelteTesting(), withinSite],
  build: {
    outDir: "dist",
    assetsDir: "pages",
    manifest: true,
    target: OLDEST,
    // Every picture has an address. One that is inlined as data: would need a wider Content Security Policy.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, files) =>
        AT_ONCE.test(file) ? files : files.filter((one) => one.endsWith(".css")),
    },
    // What is needed together is in one file, because separate pieces pack worse.
    rolldownOptions: {
      output: {
        // Each name is in the file that every worker loads, and nothing makes a hash smaller.
        chunkFileNames: "pages/[name]-[hash:7].js",
        assetFileNames: "pages/[name]-[hash:7][extname]",
        entryFileNames: "pages/[name]-[hash:7].js",
        codeSplitting: {
          groups: [
            { name: "base", tags: ["$initial"] },
            { name: "Instructions", test: /sample\/scenes|stages\/Instructions/ },
            { name: "SignIn", test: /pages\/(SignIn|Field)\.svelte|pages\/browser|parts\/relative-time/ },
            { name: "Notice", test: /pages\/(Notice|Contact)\.svelte/ },
            { name: "joint", test: /joint\/(index|drawn)\.ts|joint\/(DrawAll|CheckAll)\.svelte/ },
            { name: "inset", test: /picture\/(Inset\.svelte|lens\.ts)/ },
          ],
        },
      },
    },
  },
  server: {
    // The palette is the console's, too.
    fs: { allow: [".", "../console/static/console"] },
    proxy: { "/api": "http://127.0.0.1:8000", "/media": "http://127.0.0.1:8000" },
  },
  // The tests look at no style sheet except those with the colours.
  test: {
    environment: "jsdom",
    setupFiles: ["src/texts/spoken.ts"],
    restoreMocks: true,
    testTimeout: 20_000, // beside other work, a test that renders much takes seconds
    css: { include: /(palette|tokens)\.css/ },
    projects: [
      { extends: true, test: { name: "alone", include: alone } },
      {
        extends: true,
        test: { name: "together", include: ["src/**/*.test.ts"], exclude: alone, isolate: false },
      },
    ],
  },
}));
