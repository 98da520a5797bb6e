import { defineConfig } from "vite";
import { OLDEST } from "./oldest.js";

// The script that loads the document again has a fixed name and runs by itself, so it is built on its own.
export default defineConfig({
  build: {
    outDir: "dist",
    emptyOutDir: false,
    copyPublicDir: false,
    target: OLDEST,
    lib: { entry: "src/reload.ts", formats: ["iife"], name: "reload", fileName: () => "reload.js" },
  },
});
