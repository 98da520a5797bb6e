/** Which chains are lit: those under the pointer or with the focus, otherwise the chosen one. */

import { listenTo } from "../listen";

export const PREFIX = "#chain-";

/** Returns the letter that the fragment of an address names, if the image has it. */
export function letterOf(fragment: string, letters: readonly string[]): string | null {
  const letter = fragment.startsWith(PREFIX) ? fragment.slice(PREFIX.length) : "";
  return letters.includes(letter) ? letter : null;
}

/**
 * Returns the letter so many places further on, round and round. Without a letter, it begins at the first or
 * last one.
 */
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

  /** Somebody followed a link to a chain, or typed its address. */
  read(fragment: string): void {
    this.chosen = letterOf(fragment, this.letters);
  }

  /** If this is empty, nothing is lit and nothing is faded. */
  get lit(): readonly string[] {
    if (this.#hovered.length > 0) return this.#hovered;
    return this.chosen === null ? [] : [this.chosen];
  }

  hover(letters: readonly string[]): void {
    if (letters.join() !== this.#hovered.join()) this.#hovered = letters;
  }

  /** Chooses a chain. If it is chosen already, it is not any more. */
  toggle(letter: string | null): void {
    this.chosen = letter === this.chosen ? null : letter;
  }

  step(way: 1 | -1): void {
    this.chosen = step(this.letters, this.chosen, way);
  }
}

/** In the server's part of the page, marks what belongs to the lit chains, and what does not. */
export function light(root: ParentNode, lit: readonly string[]): void {
  for (const node of root.querySelectorAll<HTMLElement>("[data-chain]")) {
    const own = lit.includes(node.dataset["chain"] ?? "");
    node.classList.toggle("lit", own);
    node.classList.toggle("faded", lit.length > 0 && !own);
  }
}

/** Makes the mentions and the list report what is pointed at. Returns a function that undoes this. */
export function listen(root: HTMLElement, lighting: Lighting): () => void {
  const chain = (event: Event): string | null => {
    const found = event.target instanceof Element ? event.target.closest("[data-chain]") : null;
    return found instanceof HTMLElement ? (found.dataset["chain"] ?? null) : null;
  };
  const enter = (event: Event): void => {
    const letter = chain(event);
    lighting.hover(letter === null ? [] : [letter]);
  };
  const leave = (): void => lighting.hover([]);
  const choose = (event: Event): void => {
    const link = event.target instanceof Element ? event.target.closest("a.mention") : null;
    const letter = chain(event);
    if (link === null || letter === null) return;
    // This changes the address without making the page jump.
    event.preventDefault();
    leave();
    lighting.toggle(letter);
  };
  return listenTo(root, {
    pointerover: enter,
    focusin: enter,
    pointerleave: leave,
    focusout: leave,
    click: choose,
  });
}
