/** Asked before a photograph counts as unusable. `other` leads from it to the other answers. */

export default {
  ask: "Is the photograph unusable?",
  note: "It does not load, or nothing can be made out. Somebody else is asked.",
  /** Said where the page is paid. */
  paid: "The page is paid all the same.",
  yes: "Yes, unusable",
  other: "Another answer",
};
