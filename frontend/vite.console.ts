import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { OLDEST } from "./oldest.js";

// The researchers' part. It is built on its own after the workers' pages. The two share sources but no file,
// so that a worker never fetches anything of it. Django finds the files by the manifest.
export default defineConfig({
  base: "./",
  plugins: [svelte()],
  build: {
    outDir: "dist",
    emptyOutDir: false,
    assetsDir: "pages",
    manifest: ".vite/console.json",
    target: OLDEST,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: {
        console: "src/console/main.ts",
        inspector: "src/console/inspector/main.ts",
        expert: "src/expert/main.ts",
        instructions: "src/instructions/main.ts",
        preview: "src/instructions/preview.ts",
      },
    },
  },
});
