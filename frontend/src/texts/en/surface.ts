/** What is said about the photograph and about drawing on it. */

const pixels = (n: number): string => (n === 1 ? "1 pixel" : `${n} pixels`);

export default {
  zoom: "Size of the photograph",
  closer: "Closer",
  wider: "Less close",
  all: "Show all of it",
  hide: "Hide the boxes",
  boxes: "Boxes",
  coming: "The photograph is on its way.",
  none: "This photograph is missing. Write a comment, or give the page back.",
  broken: "The photograph cannot be loaded.",
  misfit: "This photograph does not have the right shape. Write a comment, or give the page back.",
  again: "Try again",
  tools: "The box",
  newBox: "New box",
  undo: "Undo",
  redo: "Redo",
  remove: "Remove the box",
  magnifier: "Magnifier",
  boxIs: (l: number, t: number, r: number, b: number, width: number, height: number): string =>
    `Box from ${l}, ${t} to ${r}, ${b}: ${width} wide, ${height} high.`,
  finished: "There is a box already. Pull its edges, or remove it (✕).",
  noBox: "No box.",
  tooSmall: (side: number): string => `That box is too small: each side needs ${pixels(side)} or more.`,
};
