import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The researchers' part, built on its own after the workers' pages: they share sources and no file, so that
// nothing of it is ever fetched by a worker. Django finds the files by the manifest.
export default defineConfig({
  base: "/static/",
  plugins: [svelte()],
  build: {
    outDir: "dist",
    emptyOutDir: false,
    assetsDir: "pages",
    manifest: ".vite/console.json",
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: { input: { console: "src/console/main.ts", inspector: "src/console/inspector/main.ts" } },
  },
});
