/**
 * What shows suggestions. It is a function of its own: where `import()` is called with `then` at once, the builder
 * puts that inside of what waits for style sheets, and nobody would hear that one of these cannot be loaded.
 */
export const suggestions = () => import("./suggestions");

export type Suggesting = typeof import("./suggestions");
