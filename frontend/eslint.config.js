import js from "@eslint/js";
import baseline from "eslint-plugin-baseline-js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default ts.config(
  { ignores: ["dist/", "node_modules/", "generated/"] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  // The oldest browsers of package.json came out in spring 2023: what browsers lacked in 2022 is an error.
  {
    files: ["src/**/*.{ts,svelte}"],
    ignores: ["src/**/*.test.ts", "src/texts/spoken.ts"],
    plugins: { "baseline-js": baseline },
    rules: {
      "baseline-js/use-baseline": [
        "error",
        {
          available: 2022,
          includeWebApis: { preset: "auto" },
          includeJsBuiltins: { preset: "auto" },
          // Browsers without `alpha: false` draw the same, only slower; of createImageBitmap, only options
          // that these pages do not use are late.
          ignoreFeatures: ["canvas-2d-alpha", "createimagebitmap"],
        },
      ],
    },
  },
  {
    languageOptions: { globals: { ...globals.browser } },
    rules: {
      // What a caption, a comment or a reply of the server says is text.
      "svelte/no-at-html-tags": "error",
      "no-console": "error",
      eqeqeq: "error",
      // The compiler knows; the linter does not see types in globals.
      "no-undef": "off",
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    // Each of these brings hundreds of bytes of Svelte into the file that every worker loads.
    files: ["src/**/*.svelte"],
    ignores: ["src/{console,expert,instructions}/**"],
    rules: {
      "no-restricted-syntax": [
        "error",
        { selector: "SvelteStyleDirective", message: "Use styled() of parts/styled.ts." },
        { selector: "SvelteSpreadAttribute", message: "Name each property." },
        { selector: "SvelteElement[name.name='svelte:head']", message: "Set document.title in an effect." },
        {
          selector: "SvelteAttribute[key.name='class'][value.length=1] > SvelteMustacheTag",
          message:
            'Put a word beside it: class="edges {look}". A mere expression may be an array or an object.',
        },
      ],
    },
  },
);
