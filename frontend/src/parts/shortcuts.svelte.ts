/** Single keys: when one is meant for the page, and the switch that turns them off (WCAG 2.1.4). */

const SETTING = "groundcrew-single-keys";
const FIELDS = "textarea, select, [contenteditable]:not([contenteditable='false'])";
/** Inputs that no text is typed into. */
const PUSHED = ["checkbox", "radio", "button", "submit", "reset", "range", "color", "file", "image"];

let enabled = $state(remembered());

/** Whether keys of a single character answer. People who dictate turn them off: a word would press several. */
export function singleKeys(): boolean {
  return enabled;
}

export function useSingleKeys(wanted: boolean): void {
  enabled = wanted;
  try {
    localStorage.setItem(SETTING, wanted ? "on" : "off");
  } catch {
    // A frame without storage: it holds until the page is closed.
  }
}

/** What a key may have with it. An answer must not be given twice by holding its key; an arrow may go on. */
export interface Allowed {
  held?: boolean;
  alt?: boolean;
  /** Or the Mac's command key. */
  ctrl?: boolean;
}

/**
 * The key, where it is meant for the page; else null. Not while typing, not with Ctrl or Meta, not while a
 * dialog is open, not when something nearer has used it, and, where nothing else is allowed, not with Alt and not
 * again and again while it is held.
 */
export function ownKey(
  event: KeyboardEvent,
  { held = false, alt = false, ctrl = false }: Allowed = {},
): string | null {
  if (event.defaultPrevented || event.isComposing || (event.repeat && !held)) return null;
  // Enter, Delete and the arrows are no characters: they answer all the same.
  const chord = event.ctrlKey || event.metaKey;
  if (!enabled && !chord && [...event.key].length === 1) return null;
  if ((chord && !ctrl) || (event.altKey && !alt)) return null;
  if (document.querySelector("dialog[open], [role='dialog']") !== null) return null;
  return isField(event.target) ? null : event.key;
}

/** Whether Enter or Space has a meaning of its own there. */
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
