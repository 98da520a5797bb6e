/** Single keys: when one is meant for the page, and the switch that turns them off (WCAG 2.1.4). */

const SETTING = "groundcrew-single-keys";
const FIELDS = "textarea, select, [contenteditable]:not([contenteditable='false'])";
/** Types of input that no text is typed into. */
const PUSHED = ["checkbox", "radio", "button", "submit", "reset", "range", "color", "file", "image"];

let enabled = $state(remembered());

/** Whether keys of a single character answer. People who dictate turn them off, since a word would press several. */
export function singleKeys(): boolean {
  return enabled;
}

export function useSingleKeys(wanted: boolean): void {
  enabled = wanted;
  try {
    localStorage.setItem(SETTING, wanted ? "on" : "off");
  } catch {
    // A frame may have no storage. Then the choice lasts until the page is closed.
  }
}

/** What a key may be combined with. Holding a key must not answer twice, but an arrow may repeat. */
export interface Allowed {
  held?: boolean;
  alt?: boolean;
  /** Ctrl, or the Mac's command key. */
  ctrl?: boolean;
}

/** A character that is no digit, and not one that the pages use themselves. */
const NO_DIGIT = /^[^-+=?\d]$/;
/** What stands beyond Latin letters with marks, as Cyrillic, Greek, Hebrew and Arabic letters do. */
const NOT_LATIN = /^[^ -\u024f]/;
/** What browsers say of a key that an input method uses. */
const OF_INPUT_METHOD = 229;

/**
 * Returns the key as the pages name it. A letter that is not Latin is the small letter of the key's place (*в* is
 * *d*), and in a row whose digits need Shift the digit (*&* is *1* on a French keyboard).
 */
export function keyOf({
  key,
  code = "",
  shiftKey,
}: Pick<KeyboardEvent, "key" | "code" | "shiftKey">): string {
  // Of keys with a character, only KeyA to KeyZ begin with K, and only Digit0 to Digit9 with D.
  const written = code.slice(-1);
  if (code[0] === "K" && NOT_LATIN.test(key)) return written.toLowerCase();
  return code[0] === "D" && !shiftKey && NO_DIGIT.test(key) ? written : key;
}

/**
 * Whether the key belongs to an input method, such as the Enter that ends a Chinese word. Safari says so by the
 * key's number alone, since composing is over by then.
 */
export function composes(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === OF_INPUT_METHOD;
}

/**
 * Returns the key, as `keyOf` names it, if it is meant for the page, otherwise null. It is not meant for the page
 * while somebody types, while a dialog is open, or if an inner element has used it. Unless that is allowed, it is
 * not meant for the page with Ctrl, Meta or Alt either, nor when it repeats because it is held.
 */
export function ownKey(
  event: KeyboardEvent,
  { held = false, alt = false, ctrl = false }: Allowed = {},
): string | null {
  const key = keyOf(event);
  if (event.defaultPrevented || composes(event) || (event.repeat && !held)) return null;
  // Enter, Delete and the arrows are not characters, so they always answer.
  const chord = event.ctrlKey || event.metaKey;
  if (!enabled && !chord && [...key].length === 1) return null;
  if ((chord && !ctrl) || (event.altKey && !alt)) return null;
  if (document.querySelector("dialog[open], [role='dialog']") !== null) return null;
  return isField(event.target) ? null : key;
}

/** Whether Enter or Space has a meaning of its own on this element. */
export function isPressable(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest("button, a[href], summary, input, [role='button']") !== null
  );
}

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target instanceof HTMLInputElement) return !PUSHED.includes(target.type);
  return target.closest(FIELDS) !== null;
}

function remembered(): boolean {
  try {
    return localStorage.getItem(SETTING) !== "off";
  } catch {
    return true;
  }
}
