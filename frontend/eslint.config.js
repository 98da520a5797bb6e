import js from "@eslint/js";
import compat from "eslint-plugin-compat";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default ts.config(
  { ignores: ["dist/", "node_modules/", "generated/"] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  // What the oldest browsers of package.json lack is an error.
  { ...compat.configs["flat/recommended"], files: ["src/**/*.{ts,svelte}"], ignores: ["src/**/*.test.ts"] },
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
