/** Colour and line of chains, as in the inspector: the classes are those of console/inspector.css. */

import { placeOf } from "./annotation";

const COLOURS = 8;
const LINES = 3;

export function look(letter: string): string {
  const place = placeOf(letter);
  return `c${String(place % COLOURS)} l${String(Math.floor(place / COLOURS) % LINES)}`;
}
