const points = (click: string): string =>
  `Four points: ${click} where the thing is highest, lowest, farthest left and farthest right. The box comes by itself.`;

export default {
  examples: "Examples",
  /** The verdicts of a researcher's own examples. */
  good: "Good",
  bad: "Bad",
  keys: "Keys",
  key: "Key",
  does: "What it does",
  /** Names of keys that are not letters. */
  names: { Escape: "Esc", Arrows: "Arrow keys", Delete: "Del" } as Record<string, string>,
  meanings: {
    confirm: "Set a point at the crosshair. Then: confirm the box, go on",
    finish: "Set a point at the crosshair. Then: let the box be. Then: that is all, go on",
    take: "Take this box, to change it",
    none: "Say that no box is needed, and why",
    takeBack: "Take back the last point, or the last box",
    letBe: "Let the box be",
    judge: "Say of this box what it is like",
    missing: "Something is missing",
    nothing: "Nothing is missing",
    send: "Set the mark at the crosshair. Then: that is the answer, go on",
    aim: "Move the photograph, or a crosshair to where something is missing",
    newBox: "Put a new box in the middle",
    move: "Move a crosshair. Then: move the box by a pixel",
    moveFar: "Move the crosshair finely. Then: move the box by ten pixels",
    resize: "Make it wider, narrower, higher or lower",
    undo: "Undo",
    redo: "Redo",
    remove: "Remove the box or the points",
    zoom: "Zoom in and out",
    whole: "Show the whole photograph",
    hide: "Hold: look under the boxes",
    pan: "Move the photograph, if it is enlarged",
    method: "Change between four points and dragging",
    back: "Back to the question before",
    comment: "Write a comment. Esc leaves the field",
    flag: "Say that the marked words are cut wrongly",
    unrelated: "Say that a caption is about another photograph",
    unusable: "Say that the photograph is unusable",
    unsure:
      "Say that you cannot tell, where this is offered. If the question has a known answer, “cannot tell” counts as wrong",
    help: "These instructions",
  },
  /** How to give extreme points, for batches that use them. */
  points: {
    click: points("click"),
    tap: points("tap"),
    both: points("click or tap"),
  },
  pointer: {
    click:
      "Mouse: turn the wheel to zoom, hold the space bar and drag to move the picture. Pull an edge or a corner of the box to change it.",
    tap: "Fingers: two of them zoom and move the picture, one draws.",
  },
  stages: {
    link: {
      aim: "In each of two captions a few words are marked. Say whether both name the same thing, or the same things, in this photograph.",
      rules: [
        "Look at the photograph, not only at the words. Different words can name the same thing. The same words can name two different things.",
        "A part is not the whole. A man and his hand are not the same.",
        "All must be the same. “Two men” and “one of them” are not.",
        "Captions can be wrong about colours or numbers. If it is clear that the same thing is meant, the answer is Yes.",
        "You cannot tell: choose “Cannot tell”. If it is not offered, answer No and write a comment.",
      ],
      examples: {
        words: {
          marked: ["a man", "a young man"],
          verdict: "Yes, the same",
          why: "Other words, but there is only one man.",
        },
        part: {
          marked: ["a man", "a red hat"],
          verdict: "No",
          why: "The hat is on the man, but it is another thing.",
        },
        some: {
          marked: ["a family", "a young girl"],
          verdict: "No",
          why: "The girl is only one of the family.",
        },
      },
    },
    verification: {
      aim: "Others found that all these marked words belong together. Say whether every one of them really names the same thing or things.",
      rules: [
        "Read every caption. One that does not fit is enough for No.",
        "All must name the same set: “two dogs” and “one dog” do not.",
        "A part is not the whole: a man and his shirt do not belong together.",
        "Small mistakes of a caption, such as a wrong colour, do not matter as long as it is clear what is meant.",
      ],
      examples: {
        all: {
          marked: ["some dogs", "two dogs", "dogs"],
          verdict: "Yes, all the same",
          why: "All three name both dogs.",
        },
        some: {
          marked: ["some dogs", "two dogs", "a black dog"],
          verdict: "No, not all",
          why: "The last one names only one of the two.",
        },
        other: {
          marked: ["a guitarist", "a man with a guitar", "a woman"],
          verdict: "No, not all",
          why: "The woman is somebody else.",
        },
      },
    },
    requirement: {
      aim: "Say whether boxes could be drawn round what the marked words name.",
      rules: [
        "A box can be drawn: at least one thing that is meant can be seen, and it has an outline. A group, such as a crowd, counts too.",
        "A scene or place: the words name the surroundings as a whole, such as a park, a street or the sea.",
        "No box: it is not in the photograph, or cannot be seen at all, such as music, a walk or a party.",
        "Partly hidden things get a box, too. One such thing is enough.",
      ],
      examples: {
        box: {
          marked: ["a beach ball"],
          verdict: "A box can be drawn",
          why: "It can be seen, and it is clear where it ends.",
        },
        scene: {
          marked: ["a park"],
          verdict: "A scene or place",
          why: "The park is everywhere round the woman and the dogs.",
        },
        nobox: { marked: ["music"], verdict: "No box", why: "Music is heard, not seen." },
      },
    },
    drawing: {
      aim: "Draw one new box round one thing that the marked words name and that has no box yet. If all have one, or none is needed, say so.",
      rules: [
        "One thing, one box: for “two people” draw one of them; the other one gets a box later.",
        "A group whose members cannot be told apart, such as a crowd, gets one box.",
        "Tight: every side touches the thing.",
        "The whole thing, as far as it can be seen: with arms, handles and tail. Do not guess what is hidden.",
        "Only what the words name: for “a hat” the hat, not the person under it.",
      ],
      examples: {
        points: {
          marked: ["a young girl"],
          verdict: "Four points",
          why: "Head, shoe, hand and the other shoe: the box goes through all four.",
        },
        single: {
          marked: ["two dogs"],
          verdict: "Good",
          why: "One dog has a box already, so the new one goes round the other.",
        },
        group: {
          marked: ["a crowd"],
          verdict: "Good",
          why: "Too many to tell apart: one box round them all.",
        },
        loose: { marked: ["a drum"], verdict: "Bad", why: "Too wide: the sides do not touch the drum." },
        cut: { marked: ["a woman"], verdict: "Bad", why: "Her legs and an arm are outside." },
      },
    },
    quality: {
      aim: "Somebody drew a new box. Say whether it is good for the marked words. Boxes from before are shown as well.",
      rules: [
        "Tight: every side touches the thing. Tiny gaps do not matter.",
        "Whole: nothing that can be seen of the thing is outside.",
        "Meant: it is round what the marked words name.",
        "One thing: two that can be told apart need two boxes. A crowd may have one.",
        "New: no earlier box is round the same thing.",
      ],
      examples: {
        tight: { marked: ["a drum"], verdict: "Good", why: "Tight, whole, and what was meant." },
        loose: { marked: ["a drum"], verdict: "Bad", why: "Too wide on every side." },
        several: {
          marked: ["two dogs"],
          verdict: "Bad",
          why: "Two dogs in one box: each needs its own.",
        },
        again: {
          marked: ["two boats"],
          verdict: "Bad",
          why: "This boat has a box already; the other one has none.",
        },
      },
    },
    coverage: {
      aim: "Say whether everything that the marked words name has its box.",
      rules: [
        "Count what can be told apart: “two people” need two boxes.",
        "A group whose members cannot be told apart needs one box.",
        "Look for things that are small, at the edge, or partly hidden.",
        "How tight the boxes are is not asked here.",
      ],
      examples: {
        all: { marked: ["two boats"], verdict: "Yes, all are here", why: "Two boats, two boxes." },
        group: {
          marked: ["the audience"],
          verdict: "Yes, all are here",
          why: "A crowd needs only one box.",
        },
        missing: {
          marked: ["the band members"],
          verdict: "No, not all",
          why: "The woman at the drum has no box.",
        },
      },
    },
    boxes: {
      aim: "Draw a box round each thing that the marked words name and that has no box yet. Then say that these are all, or that none is needed.",
      rules: [
        "One thing, one box: for “two people” draw two. A group whose members cannot be told apart gets one.",
        "A finished box stays, and you can draw the next one at once. To change it, press its number.",
        "Tight and whole: every side touches the thing, and nothing that can be seen of it is outside.",
        "Only what the words name: for “a hat” the hat, not the person under it.",
        "A ? on the photograph: somebody found that something is missing there. Look for yourself.",
        "If nothing has to be drawn, say why: it is a scene or place, it cannot be seen or drawn, or everything has a box.",
      ],
      examples: {
        all: { marked: ["two dogs"], verdict: "Good", why: "Two dogs, two boxes." },
        other: {
          marked: ["two boats"],
          verdict: "Good",
          why: "The left boat has a box already, so only the other one gets one.",
        },
        group: {
          marked: ["a crowd"],
          verdict: "Good",
          why: "Too many to tell apart: one box round them all.",
        },
        missing: {
          marked: ["the band members"],
          verdict: "Bad",
          why: "The woman at the drum has no box.",
        },
        both: {
          marked: ["two dogs"],
          verdict: "Bad",
          why: "Two dogs in one box: each needs its own.",
        },
      },
    },
    check: {
      aim: "Somebody drew the numbered boxes. Mark those that are not good, say why, and say whether anything that the marked words name has no box at all.",
      rules: [
        "Good: tight, whole, round one thing that is meant, and no other box is round it.",
        "Loose: the box is too wide. Cut off: a part of the thing is outside. Tiny gaps do not matter.",
        "Wrong thing: it is round something else, or round several things that can be told apart.",
        "Double: two boxes are round the same thing. Say it of only one of them.",
        "Missing: something that is meant has no box. A thing with a loose box is not missing.",
        "If you can, show where it is missing: press on it for a moment, or choose “Something is missing” and press there.",
      ],
      examples: {
        all: { marked: ["two boats"], verdict: "Good", why: "Two boats, two boxes, both tight." },
        loose: { marked: ["a drum"], verdict: "Loose", why: "Too wide on every side." },
        cut: { marked: ["a woman"], verdict: "Cut off", why: "Her legs and an arm are outside." },
        again: { marked: ["a boat"], verdict: "Double", why: "This boat has a box already." },
        missing: {
          marked: ["the band members"],
          verdict: "Something is missing",
          why: "The box is good, but the woman at the drum has none.",
        },
      },
    },
  },
};
