import type { Pointing } from "../pointer";

/** The questions, and the answers that can be chosen. */

const boxes = (n: number): string => (n === 1 ? "1 box" : `${n} boxes`);

export default {
  link: {
    name: "Same or different",
    question: "Do the marked words refer to the same thing or things?",
  },
  verification: {
    name: "Check a group",
    question: "Do all the marked words refer to the same thing or things?",
  },
  requirement: {
    name: "Box or no box",
    question: "Can a box be drawn for the marked words?",
  },
  drawing: {
    name: "Draw a box",
    question: "Draw a box round one thing that the marked words name and that has none yet.",
    method: "How to draw",
    ways: { extreme: "Four points", drag: "Drag" },
    extreme: (by: Pointing, n: number): string =>
      `${{ click: "Click", tap: "Tap", both: "Click or tap" }[by]} ${n === 0 ? "the top, bottom, left and right ends of one thing" : n === 3 ? "the last point" : "the next point"}: ${n} of 4.`,
    drag: "Drag from one corner to the opposite one.",
    adjust: "Move the edges until the box is tight, then confirm it.",
    confirm: "Confirm this box",
    drawn: (width: number, height: number): string => `A new box, ${width} × ${height} pixels`,
  },
  quality: {
    name: "Judge a box",
    question: "Is the new box good for the marked words?",
  },
  coverage: {
    name: "All boxes there",
    question: "Are all the boxes here that the marked words need?",
  },
  boxes: {
    name: "Draw all boxes",
  },
  check: {
    name: "Check all boxes",
  },
  writing: {
    name: "Write a caption",
  },
  caption_check: {
    name: "Check a caption",
    question: "Does the caption describe the photograph?",
  },
  grading: {
    name: "Grade a caption",
    question: "How well does the caption describe the photograph?",
  },
  relevance: {
    name: "Match captions",
  },
  choices: {
    same: { label: "Yes, the same", note: "" },
    different: { label: "No", note: "" },
    allSame: { label: "Yes, all the same", note: "" },
    notAll: { label: "No, not all", note: "" },
    box: { label: "A box can be drawn", note: "Round at least one thing that can be seen" },
    scene: { label: "A scene or place", note: "The whole surroundings, such as a park" },
    nobox: { label: "No box", note: "Not in the picture, or nothing that can be seen" },
    noneNeeded: { label: "No box is needed", note: "" },
    noFurther: { label: "No further box is needed", note: "" },
    good: { label: "Good", note: "" },
    bad: { label: "Bad", note: "" },
    complete: { label: "Yes, all are here", note: "" },
    missing: { label: "No, not all", note: "" },
    describes: { label: "Describes it", note: "" },
    minor: { label: "Minor errors", note: "Such as a wrong colour or number, or bad grammar" },
    wrong: { label: "Does not", note: "" },
    unrelated: { label: "Unrelated", note: "Nothing of it is in the photograph" },
    somewhat: { label: "Somewhat related", note: "Some of it is in the photograph" },
    nearly: { label: "With minor errors", note: "Only details are wrong" },
    exactly: { label: "Without any errors", note: "" },
  },
  unusable: { label: "Photograph unusable" },
  unsure: {
    label: "Cannot tell",
    note: "Somebody else is asked. If the question has a known answer, “cannot tell” counts as wrong.",
  },
  left: (n: number): string => `${n} left on this page`,
  unanswered: "Not answered yet",
  unavailable: "The instructions could not be loaded. The connection may be gone: close them and try again.",
  more: "Next caption",
  unread: "Read all captions first. Here is the next one.",
  photograph: "The photograph",
  matter: "Captions and remarks",
  answers: "Your answer",
  mentionBegins: "[marked:",
  mentionEnds: "end of mark]",
  shownBoxes: {
    newOne: "New box",
    accepted: (n: number): string => (n === 0 ? "No box so far" : `${boxes(n)} so far`),
    numbered: (n: number): string => `Box ${n}`,
    /** All numbers are in per cent of the picture. */
    at: (field: string, left: number, right: number, top: number, bottom: number): string =>
      `${field}, from ${left} to ${right} per cent of the width, ${top} to ${bottom} per cent of the height`,
    fields: {
      topLeft: "top left",
      topCentre: "top centre",
      topRight: "top right",
      middleLeft: "left",
      middleCentre: "centre",
      middleRight: "right",
      bottomLeft: "bottom left",
      bottomCentre: "bottom centre",
      bottomRight: "bottom right",
    },
  },
  remark: {
    flag: "Words cut wrongly",
    flagNote: "The marked words are not one whole phrase: too few of them, too many, or the wrong ones.",
    unrelated: "Caption of another photograph",
    unrelatedNote: "The caption is about another photograph. The question is answered all the same.",
    comment: "Comment",
    commentLabel: "Comment on this item",
    placeholder: "What should the researchers know?",
  },
};
