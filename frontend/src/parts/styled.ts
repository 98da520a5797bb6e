/** What a component sets in an element's style. `style:` would bring 0.6 KB of Svelte into what every worker loads. */

/** Sets these properties, as `{@attach styled({ … })}`. An empty one is taken away. */
export const styled =
  (style: Partial<CSSStyleDeclaration>) =>
  ({ style: now }: HTMLElement | SVGElement): void => {
    Object.assign(now, style);
  };
