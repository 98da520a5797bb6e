/**
 * Where a browser translates the page, texts that change go on changing. Chromium puts a `<font>` in the place of each
 * text, and Svelte goes on writing into the text that is gone. Once that one changes, it takes its place again,
 * and the browser translates it anew.
 */

const isFont = (node: Node | null | undefined): node is Element => node?.nodeName === "FONT";

/** Begins to look after the texts below `root`. Returns a function that ends this. */
export function keepTexts(root: Node): () => void {
  /** What stands in the place of each text that was translated. */
  const inPlaceOf = new WeakMap<Node, Element>();

  const texts = new MutationObserver((changes) => {
    for (const { target } of changes) {
      const stands = inPlaceOf.get(target);
      inPlaceOf.delete(target);
      if (stands?.isConnected && !target.isConnected) stands.replaceWith(target);
    }
  });

  const places = new MutationObserver((changes) => {
    for (const { removedNodes, addedNodes, previousSibling, nextSibling } of changes)
      for (const text of removedNodes) {
        if (text.nodeType !== Node.TEXT_NODE || text.isConnected) continue;
        const stands = [addedNodes[0], previousSibling, nextSibling].find(isFont);
        if (!stands) continue;
        inPlaceOf.set(text, stands);
        texts.observe(text, { characterData: true });
      }
  });
  places.observe(root, { childList: true, subtree: true });
  return () => {
    places.disconnect();
    texts.disconnect();
  };
}

let kept = false;

/** Looks after the texts of the document, from the first call on. */
export function keepAllTexts(): void {
  if (!kept) keepTexts(document.body);
  kept = true;
}
