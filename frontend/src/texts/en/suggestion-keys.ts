/** What the keys for suggestions do, in the instructions. */

export default {
  accept:
    "Accept the model’s suggestion with this number. Some suggestions are wrong, and some things have none: accept one only if it is as tight as your own box would be, or pull its edges then",
  walk: "Go to a suggestion in the list. Enter accepts it",
  discard: "In the list: discard the suggestion",
};
