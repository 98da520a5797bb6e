import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

/** A component's class is in its markup and in its styles. No two of them compress to one, so they are short. */
const cssHash = ({ hash, css }) => `s${hash(css).slice(0, 4)}`;

export default { preprocess: vitePreprocess(), compilerOptions: { runes: true, cssHash } };
