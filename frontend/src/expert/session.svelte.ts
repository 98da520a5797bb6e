/** The state of the expert screen: the document and what can be undone, where one is, and what is sent. */

import type { Edges, Method } from "../api/types";
import { height, width } from "../geometry/box";
import { isChanged } from "../joint/one";
import { randomId } from "../work/random";
import type { Past } from "../surface/editor.svelte";
import { Steps } from "../surface/steps.svelte";
import {
  assign,
  chainOf,
  difference,
  foreign,
  freeLetter,
  join,
  letters,
  mark,
  nameOf,
  phraseAt,
  phrases,
  setBox,
  settled,
  stretch,
  takeOver,
  textOf,
  toggleFlag,
  toggleType,
  toggleVisual,
  troubles,
  unmark,
  type Chain,
  type Doc,
  type Foreign,
  type Place,
  type Trouble,
  type Type,
  type Word,
} from "./annotation";
import { beside, following, inCaption, stops } from "./cursor";
import { dropDraft, keepDraft, placeFor, readDraft, type Draft } from "./draft";
import type { Command } from "./keys";
import { byPoints, keepPoints } from "./method";
import { send } from "./send";
import { keepTurned, madeFrom, offered, turnedOff, type Offered } from "./suggested";
import { docOf, type Purpose, type Setup } from "./setup";

/** What somebody did elsewhere while this image was open. */
export interface Changed {
  says: string;
  changes: string[];
}

const size = (box: Edges): string => `${String(width(box))} × ${String(height(box))}`;

const movedDeed = ({ letter }: Foreign, to: string): string => `the box of ${letter} is in ${to} now`;

export class Session implements Past {
  readonly setup: Setup;
  readonly words: Word[][];
  readonly #place: string;
  readonly #steps: Steps<Doc>;
  /** The word or phrase at which keys act. */
  cursor = $state.raw<Place>({ caption: 0, start: 0 });
  /** What the last command did, for people and screen readers. */
  said = $state("");
  /** What was done to come to a document. */
  readonly #deeds = new WeakMap<Doc, string>();
  /** The chain that boxes are drawn for. */
  #held = $state("");
  /** Which of its boxes is drawn; the number of boxes for another one. */
  #box = $state(0);
  /** The points of a box that is made by several, until the last one. */
  marks = $state.raw<[number, number][]>([]);
  /** The chain that the last box was drawn for. */
  #drawn = "";
  /** The box of another chain that was taken over last, for which chain, and what came of which document. */
  #taken: { one: Foreign; letter: string; base: Doc; made: Doc; byKey: boolean } | null = null;
  /** Whether a box is being drawn by keys, cell by cell. */
  celling = $state(false);
  /** Whether boxes are drawn by four points, and the next chain follows at once. */
  #points = $state(byPoints());
  purpose = $state<Purpose>("final");
  note = $state("");
  version = $state("");
  /** Whether a draft was found when the page was opened, and whether it is for an older version. */
  restored = $state<"" | "draft" | "old draft">("");
  /** Whether the browser keeps what is not saved. */
  kept = $state(true);
  saving = $state(false);
  /** Whether it is saved, so that leaving loses nothing. */
  sent = false;
  refusal = $state("");
  changed = $state.raw<Changed | null>(null);
  /** Whether what is missing was pointed out: after the first try to save. */
  tried = $state(false);
  /** The set of suggestions that this person has seen here, if any. */
  #seen: number | undefined;
  /** Whether what shows suggestions is loaded. */
  loaded = $state(false);
  #off = $state(turnedOff());
  #key = randomId();

  constructor(setup: Setup) {
    this.setup = setup;
    this.words = setup.captions.map(({ words }) => words);
    this.#place = placeFor(setup.user, setup.image.id);
    const draft = readDraft(this.#place, this.words.length);
    this.#steps = new Steps(draft?.doc ?? docOf(setup), () => this.keep());
    this.purpose = draft?.purpose ?? setup.purpose;
    if (!setup.purposes.some(({ value }) => value === this.purpose)) this.purpose = setup.purpose;
    this.note = draft?.note ?? "";
    this.version = draft?.version ?? setup.version;
    if (draft) {
      this.#key = draft.key;
      this.#seen = draft.seen;
      this.restored = draft.version === setup.version ? "draft" : "old draft";
    }
    const first = phrases(this.doc)[0];
    if (first) this.cursor = first.at;
  }

  get types(): Setup["types"] {
    return this.setup.types;
  }

  get doc(): Doc {
    return this.#steps.present;
  }

  get letters(): string[] {
    return letters(this.doc);
  }

  /** The letter of the chain in hand, or "" if there is none. */
  get held(): string {
    return this.letters.includes(this.#held) ? this.#held : "";
  }

  /** The chain in hand, which is empty if there is none. */
  get chain(): Chain {
    return chainOf(this.doc, this.held);
  }

  get box(): number {
    return Math.min(this.#box, this.chain.boxes.length);
  }

  get troubles(): Trouble[] {
    return troubles(this.doc, this.words, this.purpose === "correction");
  }

  /** Whether suggestions are shown: not for known answers, by which models are measured. */
  get suggests(): boolean {
    const { suggested } = this.setup;
    const other = this.#seen !== undefined && this.#seen !== suggested?.set;
    return suggested !== undefined && !other && !this.#off && this.purpose !== "gold";
  }

  /** The suggestions for the phrases of the chain in hand, or for the phrase at the cursor if there is none. */
  get offered(): Offered[] {
    if (!this.loaded || !this.suggests) return [];
    return offered(this.setup.suggested?.boxes ?? [], this.doc, this.held, this.cursor);
  }

  /** Notes that suggestions are shown. */
  see(): void {
    if (this.#seen !== undefined) return;
    this.#seen = this.setup.suggested?.set;
    this.keep();
  }

  /** Turns suggestions on or off, in this browser. */
  turn(): void {
    this.#off = !this.#off;
    keepTurned(this.#off);
  }

  get method(): Method {
    return this.#points ? "extreme" : "drag";
  }

  /** Draws by four points from now on, or by dragging, in this browser. */
  draws(points: boolean): void {
    this.#points = points;
    keepPoints(points);
    this.said = points
      ? "Four points make a box: topmost, bottommost, leftmost and rightmost. The next chain follows at once."
      : "Boxes are drawn by dragging. Enter goes to the next chain.";
  }

  /** What a chain is called, as it is said. */
  name(letter: string): string {
    return `${letter} “${nameOf(this.doc, this.words, letter)}”`;
  }

  /** What a phrase says. */
  text({ caption, start }: Place): string {
    const phrase = phraseAt(this.doc, { caption, start });
    return `“${textOf(this.words[caption] ?? [], start, phrase?.end ?? start + 1)}”`;
  }

  get canUndo(): boolean {
    return this.marks.length > 0 || this.#steps.canUndo;
  }

  get canRedo(): boolean {
    return this.#steps.canRedo;
  }

  /** Takes back the last point of a box that is not made yet, or the last step. */
  undo(): boolean {
    if (this.marks.length > 0) {
      this.marks = this.marks.slice(0, -1);
      this.said = `Undone: a point. Points that are set: ${String(this.marks.length)}.`;
      return true;
    }
    const before = this.doc;
    if (!this.#steps.undo()) return this.#nothing("undo");
    return this.#wentFrom(before, `Undone: ${this.#deeds.get(before) ?? "the last step"}.`);
  }

  redo(): boolean {
    const before = this.doc;
    if (!this.#steps.redo()) return this.#nothing("redo");
    return this.#wentFrom(before, `Done again: ${this.#deeds.get(this.doc) ?? "the next step"}.`);
  }

  #nothing(to: string): false {
    this.said = `Nothing to ${to}.`;
    return false;
  }

  /** After a step back or forward, goes to what it changed. */
  #wentFrom(before: Doc, said: string): true {
    const { at, letter } = difference(before, this.doc);
    if (at !== null) this.cursor = at;
    if (letter !== "") this.hold(letter);
    this.said = said;
    return true;
  }

  /** Takes a suggestion, by its place among those that are offered, as another box. */
  accept(place: number): void {
    const one = this.offered.find((other) => other.place === place);
    if (one === undefined) return;
    this.#box = this.chain.boxes.length;
    this.draw(one.box, one.id);
    this.said = `Suggestion ${String(place + 1)} is a box of ${this.name(this.held)}.`;
  }

  /** The boxes of other chains that the chain in hand can take over. */
  get foreign(): Foreign[] {
    return this.held === "" ? [] : foreign(this.doc, this.held);
  }

  /**
   * Takes over a box of another chain: this one, or the first. Again, it is the next one instead, while the box that
   * was taken over is in hand. With `moves`, the other chain loses it.
   */
  take(moves: boolean, one?: Foreign): void {
    if (this.held === "") {
      this.said = "Take a chain in hand first: it gets the box.";
      return;
    }
    const fresh = this.#taken?.made === this.doc && this.#taken.letter === this.held;
    const last = fresh ? this.#taken : null;
    if (moves && last && !one) {
      const { letter, place } = last.one;
      this.#set(setBox(this.doc, letter, place, null), movedDeed(last.one, this.held));
      this.said = this.#movedTo(last.one);
      return;
    }
    const inHand = this.box === this.chain.boxes.length - 1;
    const again = one === undefined && last?.byKey && inHand ? last : null;
    const all = foreign(again?.base ?? this.doc, this.held);
    const at = again ? (all.findIndex(({ box }) => box === again.one.box) + 1) % all.length : 0;
    const chosen = one ?? all[at];
    if (chosen === undefined) {
      this.said = "No other chain has a box that this one lacks.";
      return;
    }
    if (again) this.#steps.undo();
    const base = this.doc;
    const shared = takeOver(base, this.held, chosen);
    const made = moves ? setBox(shared, chosen.letter, chosen.place, null) : shared;
    this.#set(made, moves ? movedDeed(chosen, this.held) : `a box of ${chosen.letter} in ${this.held}`);
    this.#box = this.chain.boxes.length - 1;
    this.#drawn = this.held;
    if (moves) {
      this.#taken = null;
      this.said = this.#movedTo(chosen);
      return;
    }
    this.#taken = { one: chosen, letter: this.held, base, made, byKey: one === undefined };
    const more =
      all.length > 1 && one === undefined ? ` ${String(at + 1)} of ${String(all.length)}; t: the next.` : "";
    this.said = `${this.name(this.held)} has the box of ${this.name(chosen.letter)}, too.${more}`;
  }

  #movedTo({ letter, box }: Foreign): string {
    return `${this.name(letter)} has lost the box ${size(box)} to ${this.name(this.held)}.`;
  }

  /** Begins with the image as the server has it, and forgets the draft. */
  reset(): void {
    this.#set(docOf(this.setup));
    this.version = this.setup.version;
    this.restored = "";
    this.#seen = undefined;
    this.#key = randomId();
    dropDraft(this.#place);
  }

  /** Keeps the draft in the browser. */
  keep(): void {
    this.kept = keepDraft(this.#place, this.#draft());
  }

  mark(caption: number, start: number, end: number): void {
    this.#set(mark(this.doc, this.words[caption] ?? [], caption, start, end), "a phrase");
    this.cursor = { caption, start };
    this.said = `${this.text(this.cursor)} is a phrase.`;
  }

  assign(at: Place, letter: string): void {
    const from = phraseAt(this.doc, at)?.chain ?? "";
    const loose = from === "";
    this.#set(assign(this.doc, at, letter), `${this.text(at)} in chain ${letter}`);
    this.#held = letter;
    this.#box = 0;
    this.said = `${this.text(at)} is in chain ${letter}${loose || from === letter ? "" : `, and no longer in ${from}`}.`;
    this.#onward(at, loose);
  }

  /** Goes on to the next phrase without a chain, if the one here has been settled and there is one. */
  #onward(at: Place, settled: boolean): void {
    const next = phrases(this.doc).find(({ chain, visual }) => visual && chain === "");
    this.cursor = settled && next ? following(this.doc, at) : at;
  }

  join(from: string, to: string): void {
    this.#set(join(this.doc, from, to), `chain ${from} in chain ${to}`);
    this.hold(to);
    this.said = `Chain ${from} is in ${this.name(to)} now.`;
  }

  hold(letter: string): void {
    if (!this.letters.includes(letter)) return;
    this.#held = letter;
    this.#box = 0;
    this.said = `${this.name(letter)} is in hand.`;
  }

  /**
   * Takes a chain in hand. If the phrase at the cursor is meant, too, and has no chain, it gets this one. A phrase
   * that has a chain keeps it.
   */
  letter(letter: string, among: boolean): void {
    const phrase = among ? phraseAt(this.doc, this.cursor) : null;
    if (phrase?.visual && phrase.chain === "") this.assign(this.cursor, letter);
    else if (!this.letters.includes(letter)) this.said = `There is no chain ${letter}.`;
    else {
      this.hold(letter);
      if (phrase?.visual && phrase.chain !== letter)
        this.said += ` ${this.text(this.cursor)} stays in ${phrase.chain}; c puts it here.`;
    }
  }

  /** Takes the next chain in hand, or the one before. */
  walk(by: -1 | 1): void {
    const all = this.letters;
    const here = all.indexOf(this.held);
    const to = all[here < 0 ? (by === 1 ? 0 : all.length - 1) : (here + by + all.length) % all.length];
    if (to !== undefined) this.hold(to);
    else this.said = "No phrase has a chain yet.";
  }

  choose(box: number): void {
    this.#box = box;
  }

  /** Begins another box of the chain in hand or, if this one has none yet, of the chain that was drawn last. */
  another(): void {
    const { boxes } = this.chain;
    const last = this.letters.includes(this.#drawn) ? this.#drawn : "";
    if (boxes.length === 0 && last !== "") this.hold(last);
    this.choose(this.chain.boxes.length);
    this.said = this.held === "" ? "Take a chain in hand first." : `Another box of ${this.name(this.held)}.`;
  }

  /** Goes on to the next box of the chain in hand. */
  turnBox(): void {
    const all = this.chain.boxes.length;
    this.choose((this.box + 1) % Math.max(all, 1));
    this.said =
      all === 0
        ? "No chain in hand has a box."
        : `Box ${String(this.box + 1)} of ${String(all)} of ${this.name(this.held)}.`;
  }

  /**
   * Draws the box in hand. Without a chain in hand, the phrase at the cursor gets one. `id`: that of the
   * suggestion that the box is. Returns whether it took the place of another box, which is said.
   */
  draw(box: Edges | null, id?: number): boolean {
    // Until the last of several points, there is nothing to draw or to take away.
    if (box === null && this.chain.boxes[this.box] === undefined) return false;
    let doc = this.doc;
    let letter = this.held;
    if (letter === "") {
      const phrase = phraseAt(doc, this.cursor);
      if (phrase === null || box === null) return false;
      letter = phrase.chain || freeLetter(doc);
      doc = assign(doc, this.cursor, letter);
      this.#held = letter;
      this.#box = chainOf(doc, letter).boxes.length; // a new one: those that it has are not in hand
    }
    const before = chainOf(doc, letter).boxes[this.box] ?? null;
    this.#set(madeFrom(setBox(doc, letter, this.box, box), before, box, id), `a box of ${letter}`);
    this.#drawn = letter;
    if (box === null) this.#box = Math.max(this.#box - 1, 0);
    const replaced = before !== null && box !== null && !isChanged(before, box);
    if (replaced)
      this.said = `The box of ${this.name(letter)} was replaced. z brings it back; for a second box, press b first.`;
    return replaced;
  }

  flag(letter: string, flag: "scene" | "nobndbox"): void {
    if (letter === "") {
      this.said = "Take a chain in hand first.";
      return;
    }
    const lost = chainOf(this.doc, letter).boxes.length;
    this.#set(toggleFlag(this.doc, letter, flag), `a reason of ${letter}`);
    const says = flag === "scene" ? "is a scene" : "needs no box";
    const now = chainOf(this.doc, letter).flag === flag;
    this.said = `${this.name(letter)} ${now ? says : "has no reason for no box any more"}.`;
    if (lost > 0)
      this.said += ` It has lost its ${lost === 1 ? "box" : "boxes"}; z brings back what was lost.`;
  }

  /** Takes the next chain in hand that has neither box nor flag. Returns whether there is one. */
  next(): boolean {
    const all = this.letters;
    const start = all.indexOf(this.held) + 1;
    const open = [...all.slice(start), ...all.slice(0, start)].find((letter) => !settled(this.doc, letter));
    if (open === undefined) {
      this.said = "Every chain has a box, or a reason why it has none.";
      return false;
    }
    this.hold(open);
    return true;
  }

  /** Does what a key among the words says. Returns whether there was anything to do. */
  edit(command: Command): boolean {
    const at = this.cursor;
    const phrase = phraseAt(this.doc, at);
    switch (command.kind) {
      case "go":
        this.cursor = beside(this.doc, this.words, at, command.by);
        return true;
      case "caption":
        this.cursor = inCaption(this.doc, this.words, at, at.caption + command.by);
        return true;
      case "mark":
        if (phrase === null) this.mark(at.caption, at.start, at.start + 1);
        return true;
      case "unmark":
        if (phrase !== null) {
          const text = this.text(at);
          this.#set(unmark(this.doc, at), `no phrase ${text}`);
          this.said = `${text} is no phrase any more.`;
        }
        return true;
      case "stretch": {
        if (phrase === null) return true;
        const made = stretch(this.doc, this.words[at.caption] ?? [], at, command.edge, command.by);
        this.#set(made, "the words of a phrase");
        const start = command.edge === "start" ? at.start + command.by : at.start;
        if (phraseAt(this.doc, { ...at, start })) this.cursor = { ...at, start };
        this.said = `The phrase is ${this.text(this.cursor)}.`;
        return true;
      }
      case "assign":
        if (phrase !== null) this.assign(at, command.letter);
        return true;
      case "own":
        if (phrase !== null) this.assign(at, freeLetter(this.doc));
        return true;
      case "join":
        if (phrase !== null && this.held !== "") this.assign(at, this.held);
        else if (phrase !== null) this.said = "Take a chain in hand first.";
        return true;
      case "visual":
        if (phrase !== null) {
          this.#set(toggleVisual(this.doc, at), `what ${this.text(at)} names`);
          this.said = `${this.text(at)} is ${phrase.visual ? "not visual" : "visual"}.`;
          this.#onward(at, phrase.visual);
        }
        return true;
      case "type":
        this.#toggle(at, this.types[command.place]?.key);
        return true;
      default:
        return false;
    }
  }

  #toggle(at: Place, type: Type | undefined): void {
    const all = this.types.map(({ key }) => key);
    if (type === undefined || phraseAt(this.doc, at) === null) return;
    this.#set(toggleType(this.doc, at, type, all), `the types of ${this.text(at)}`);
    this.said = `${this.text(at)}: ${phraseAt(this.doc, at)?.types.join(" and ") ?? ""}.`;
  }

  /** Saves. Returns the address of the page to go to, or "" if it was not saved. */
  async save(token: string): Promise<string> {
    this.tried = true;
    this.refusal = "";
    const missing = this.troubles[0];
    if (missing) {
      this.refusal = "";
      if (missing.at) this.cursor = missing.at;
      if (missing.chain !== undefined) this.hold(missing.chain);
      return "";
    }
    if (this.saving) return "";
    this.saving = true;
    this.keep();
    const sent = await send(this.setup.address, token, this.#draft());
    this.saving = false;
    if (sent.kind === "saved") {
      this.sent = true;
      dropDraft(this.#place);
      return sent.next;
    }
    if (sent.kind === "refused") this.refusal = sent.says;
    else {
      this.changed = { says: sent.says, changes: sent.changes };
      this.version = sent.version;
      this.keep();
    }
    return "";
  }

  /** The words and phrases of a caption by their first words, as the arrows go through them. */
  stops(caption: number): number[] {
    return stops(this.doc, this.words, caption);
  }

  /** `deed`: what is done, as it is said when it is undone. */
  #set(doc: Doc, deed = ""): void {
    if (doc === this.doc) return;
    if (deed !== "") this.#deeds.set(doc, deed);
    this.#steps.add(doc);
    this.refusal = "";
    this.keep();
  }

  #draft(): Draft {
    return {
      version: this.version,
      key: this.#key,
      purpose: this.purpose,
      note: this.note,
      doc: this.doc,
      seen: this.#seen,
    };
  }
}
