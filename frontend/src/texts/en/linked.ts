/** Said to who comes by the address of a batch: there is no work, or a code is to be taken to the platform. */

export default {
  away: "There is no work for you in this task",
  awayWords:
    "Nothing is wrong with you or your work: others have what is left, or you have done your part. Look again in a few minutes, or return the task on the platform.",
  awayPaid:
    "Go back to the platform with this, so that it knows that you came. If you want to wait, look again in a few minutes.",
  codeWords: "Your answers are here. Copy this code, and type it on the platform: it pays once it has it.",
  copy: "Copy",
  copied: "Copied",
};
