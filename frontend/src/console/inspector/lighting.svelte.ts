/** Which chains are looked at: those under the pointer or with the focus, else the one that was chosen. */

export const PREFIX = "#chain-";

/** The letter that an address' fragment names, if the image has it. */
export function letterOf(fragment: string, letters: readonly string[]): string | null {
  const letter = fragment.startsWith(PREFIX) ? fragment.slice(PREFIX.length) : "";
  return letters.includes(letter) ? letter : null;
}

/** The letter so many places on, round and round; from none it begins at the end it comes from. */
export function step(letters: readonly string[], from: string | null, way: 1 | -1): string | null {
  const place = from === null ? (way > 0 ? -1 : 0) : letters.indexOf(from);
  return letters.at((place + way) % letters.length) ?? null;
}

export class Lighting {
  readonly letters: readonly string[];
  chosen = $state<string | null>(null);
  #hovered = $state.raw<readonly string[]>([]);

  constructor(letters: readonly string[], fragment: string) {
    this.letters = letters;
    this.chosen = letterOf(fragment, letters);
  }

  /** Somebody followed a link to a chain, or typed one. */
  read(fragment: string): void {
    this.chosen = letterOf(fragment, this.letters);
  }

  /** Nothing is lit where this is empty, and nothing faded. */
  get lit(): readonly string[] {
    if (this.#hovered.length > 0) return this.#hovered;
    return this.chosen === null ? [] : [this.chosen];
  }

  hover(letters: readonly string[]): void {
    if (letters.join() !== this.#hovered.join()) this.#hovered = letters;
  }

  /** Chooses the chain; one that is chosen already, no longer. */
  toggle(letter: string | null): void {
    this.chosen = letter === this.chosen ? null : letter;
  }

  step(way: 1 | -1): void {
    this.chosen = step(this.letters, this.chosen, way);
  }
}

/** Marks what belongs to the lit chains in the server's part of the page, and what does not. */
export function light(root: ParentNode, lit: readonly string[]): void {
  for (const node of root.querySelectorAll<HTMLElement>("[data-chain]")) {
    const own = lit.includes(node.dataset["chain"] ?? "");
    node.classList.toggle("lit", own);
    node.classList.toggle("faded", lit.length > 0 && !own);
  }
}

/** Has the mentions and the list tell what is pointed at. Returns what takes that back. */
export function listen(root: HTMLElement, lighting: Lighting): () => void {
  const chain = (event: Event): string | null => {
    const found = event.target instanceof Element ? event.target.closest("[data-chain]") : null;
    return found instanceof HTMLElement ? (found.dataset["chain"] ?? null) : null;
  };
  const enter = (event: Event): void => {
    const letter = chain(event);
    lighting.hover(letter === null ? [] : [letter]);
  };
  const leave = (): void => {
    lighting.hover([]);
  };
  const choose = (event: Event): void => {
    const link = event.target instanceof Element ? event.target.closest("a.mention") : null;
    const letter = chain(event);
    if (link === null || letter === null) return;
    // The address is changed without a jump of the page.
    event.preventDefault();
    leave();
    lighting.toggle(letter);
  };
  const events: [string, (event: Event) => void][] = [
    ["pointerover", enter],
    ["focusin", enter],
    ["pointerleave", leave],
    ["focusout", leave],
    ["click", choose],
  ];
  for (const [name, listener] of events) root.addEventListener(name, listener);
  return () => {
    for (const [name, listener] of events) root.removeEventListener(name, listener);
  };
}
