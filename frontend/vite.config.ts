import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";
import { alone } from "./alone.js";

export default defineConfig(({ command }) => ({
  // Where Django serves the build (STATIC_URL). `npm run dev` serves every address itself.
  base: command === "build" ? "/static/" : "/",
  plugins: [svelte(), svelteTesting()],
  build: {
    outDir: "dist",
    assetsDir: "pages",
    manifest: true,
    // Browsers of the last five years. They need no polyfill.
    target: "es2022",
    // Every picture has an address. One that is inlined as data: would need a wider Content Security Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What is needed together is in one file, because separate pieces pack worse.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "base", tags: ["$initial"] },
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
