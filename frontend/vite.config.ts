import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";
import { alone } from "./alone.js";

export default defineConfig(({ command }) => ({
  // Where Django serves what is built (STATIC_URL); `npm run dev` serves every address itself.
  base: command === "build" ? "/static/" : "/",
  plugins: [svelte(), svelteTesting()],
  build: {
    outDir: "dist",
    assetsDir: "pages",
    manifest: true,
    // The browsers of five years: no polyfill is shipped.
    target: "es2022",
    // Everything has an address: a picture inlined as data: would need a wider Content Security Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What every page needs is one file: apart, the pieces pack worse.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "base", tags: ["$initial"] }] } } },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8000", "/media": "http://127.0.0.1:8000" } },
  // Of the style sheets only the colours are looked at.
  test: {
    environment: "jsdom",
    setupFiles: ["src/texts/spoken.ts"],
    restoreMocks: true,
    testTimeout: 20_000, // a test that renders much takes seconds beside other work
    css: { include: /tokens\.css/ },
    projects: [
      { extends: true, test: { name: "alone", include: alone } },
      {
        extends: true,
        test: { name: "together", include: ["src/**/*.test.ts"], exclude: alone, isolate: false },
      },
    ],
  },
}));
