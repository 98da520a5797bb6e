import { defineConfig } from "vite";

// The script that loads the document again has a fixed name and runs by itself, so it is built on its own.
export default defineConfig({
  build: {
    outDir: "dist",
    emptyOutDir: false,
    copyPublicDir: false,
    // It has to be read where the others cannot.
    target: "es2017",
    lib: { entry: "src/reload.ts", formats: ["iife"], name: "reload", fileName: () => "reload.js" },
  },
});
