type Handlers = { [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => void };

/** Listens to several events of a node. Returns a function that ends this. */
export function listenTo(node: HTMLElement | Document, handlers: Handlers): () => void {
  const ends = new AbortController();
  for (const [name, handler] of Object.entries(handlers))
    node.addEventListener(name, handler as (event: Event) => void, { signal: ends.signal });
  return () => ends.abort();
}
