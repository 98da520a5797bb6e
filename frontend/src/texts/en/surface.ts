/** What is said about the photograph and about drawing on it. */

const pixels = (n: number): string => (n === 1 ? "1 pixel" : `${n} pixels`);

export default {
  zoom: "Size of the photograph",
  closer: "Closer",
  wider: "Less close",
  all: "Show all of it",
  hide: "Hide the boxes",
  closeUp: "Enlarged, because it is small. Set the edges now. ⤢ shows all of the photograph.",
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
  edges: "Edges of the box, in pixels of the photograph",
  left: "Left",
  top: "Top",
  right: "Right",
  bottom: "Bottom",
  size: (width: number, height: number): string => `${width} × ${height} pixels`,
  boxIs: (l: number, t: number, r: number, b: number, width: number, height: number): string =>
    `Box from ${l}, ${t} to ${r}, ${b}: ${width} wide, ${height} high.`,
  finished: "There is a box already. Pull its edges, or remove it (✕) and set points again.",
  crosshair: (x: number, y: number, width: number, height: number, set: number, needed: number): string =>
    `Crosshair ${x} from the left, ${y} from the top, of ${width} by ${height} pixels. ${set} of ${needed} points set.`,
  noBox: "No box.",
  tooSmall: (side: number): string => `That box is too small: each side needs ${pixels(side)} or more.`,
};
