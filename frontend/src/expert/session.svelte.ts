/** The state of the expert screen: the document and what can be undone, where one is, and what is sent. */

import type { Edges } from "../api/types";
import { randomId } from "../work/random";
import { Steps } from "../surface/steps.svelte";
import {
  assign,
  chainOf,
  freeLetter,
  join,
  letters,
  mark,
  phraseAt,
  phrases,
  setBox,
  settled,
  stretch,
  toggleFlag,
  toggleType,
  toggleVisual,
  troubles,
  unmark,
  type Chain,
  type Doc,
  type Place,
  type Trouble,
  type Type,
  type Word,
} from "./annotation";
import { dropDraft, keepDraft, placeFor, readDraft, type Draft } from "./draft";
import type { Command } from "./keys";
import { send } from "./send";
import { keepTurned, madeFrom, offered, turnedOff, type Offered } from "./suggested";
import { docOf, type Purpose, type Setup } from "./setup";

/** What somebody did elsewhere while this image was open. */
export interface Changed {
  says: string;
  changes: string[];
}

export class Session {
  readonly setup: Setup;
  readonly words: Word[][];
  readonly #place: string;
  /** What can be undone. */
  readonly steps: Steps<Doc>;
  /** The word or phrase at which keys act. */
  cursor = $state.raw<Place>({ caption: 0, start: 0 });
  /** The chain that boxes are drawn for. */
  #held = $state("");
  /** Which of its boxes is drawn; the number of boxes for another one. */
  #box = $state(0);
  purpose = $state<Purpose>("final");
  note = $state("");
  version = $state("");
  /** Whether a draft was found when the page was opened, and whether it is for an older version. */
  restored = $state<"" | "draft" | "old draft">("");
  /** Whether the browser keeps what is not saved. */
  kept = $state(true);
  saving = $state(false);
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
    this.steps = new Steps(draft?.doc ?? docOf(setup), () => this.keep());
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
    return this.steps.present;
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

  /** Takes a suggestion, by its place among those that are offered, as another box. */
  accept(place: number): void {
    const one = this.offered.find((other) => other.place === place);
    if (one === undefined) return;
    this.#box = this.chain.boxes.length;
    this.draw(one.box, one.id);
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
    this.#set(mark(this.doc, this.words[caption] ?? [], caption, start, end));
    this.cursor = { caption, start };
  }

  assign(at: Place, letter: string): void {
    const loose = phraseAt(this.doc, at)?.chain === "";
    this.#set(assign(this.doc, at, letter));
    this.#held = letter;
    this.#box = 0;
    const next = phrases(this.doc).find(({ chain, visual }) => visual && chain === "");
    this.cursor = loose && next ? this.#following(at) : at;
  }

  join(from: string, to: string): void {
    this.#set(join(this.doc, from, to));
    this.hold(to);
  }

  hold(letter: string): void {
    if (!this.letters.includes(letter)) return;
    this.#held = letter;
    this.#box = 0;
  }

  choose(box: number): void {
    this.#box = box;
  }

  /**
   * Draws the box in hand. Without a chain in hand, the phrase at the cursor gets one. `id`: that of the
   * suggestion that the box is.
   */
  draw(box: Edges | null, id?: number): void {
    let doc = this.doc;
    let letter = this.held;
    if (letter === "") {
      const phrase = phraseAt(doc, this.cursor);
      if (phrase === null || box === null) return;
      letter = phrase.chain || freeLetter(doc);
      doc = assign(doc, this.cursor, letter);
      this.#held = letter;
      this.#box = 0;
    }
    const before = chainOf(doc, letter).boxes[this.box] ?? null;
    this.#set(madeFrom(setBox(doc, letter, this.box, box), before, box, id));
    if (box === null) this.#box = Math.max(this.#box - 1, 0);
  }

  flag(letter: string, flag: "scene" | "nobndbox"): void {
    if (letter !== "") this.#set(toggleFlag(this.doc, letter, flag));
  }

  /** Takes the next chain in hand that has neither box nor flag. Returns whether there is one. */
  next(): boolean {
    const all = this.letters;
    const start = all.indexOf(this.held) + 1;
    const open = [...all.slice(start), ...all.slice(0, start)].find((letter) => !settled(this.doc, letter));
    if (open === undefined) return false;
    this.hold(open);
    return true;
  }

  /** Does what a key among the words says. Returns whether there was anything to do. */
  edit(command: Command): boolean {
    const at = this.cursor;
    const phrase = phraseAt(this.doc, at);
    switch (command.kind) {
      case "go":
        return this.#go(command.by);
      case "caption":
        return this.#goTo(at.caption + command.by, at.start);
      case "mark":
        if (phrase === null) this.mark(at.caption, at.start, at.start + 1);
        return true;
      case "unmark":
        if (phrase !== null) this.#set(unmark(this.doc, at));
        return true;
      case "stretch": {
        if (phrase === null) return true;
        this.#set(stretch(this.doc, this.words[at.caption] ?? [], at, command.edge, command.by));
        const start = command.edge === "start" ? at.start + command.by : at.start;
        if (phraseAt(this.doc, { ...at, start })) this.cursor = { ...at, start };
        return true;
      }
      case "assign":
        if (phrase !== null) this.assign(at, command.letter);
        return true;
      case "own":
        if (phrase !== null) this.assign(at, freeLetter(this.doc));
        return true;
      case "visual":
        if (phrase !== null) this.#set(toggleVisual(this.doc, at));
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
    if (type !== undefined) this.#set(toggleType(this.doc, at, type, all));
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
    const own = this.doc.captions[caption] ?? [];
    return (this.words[caption] ?? [])
      .map((_, place) => place)
      .filter((place) => !own.some(({ start, end }) => start < place && place < end));
  }

  #go(by: -1 | 1): boolean {
    const { caption, start } = this.cursor;
    const stops = this.stops(caption);
    const here = stops.findIndex((stop) => stop >= start);
    const target = stops[here + by];
    if (target !== undefined) {
      this.cursor = { caption, start: target };
      return true;
    }
    const other = this.stops(caption + by);
    const edge = by === 1 ? other[0] : other.at(-1);
    if (edge !== undefined) this.cursor = { caption: caption + by, start: edge };
    return true;
  }

  #goTo(caption: number, start: number): boolean {
    const stops = this.stops(caption);
    const target = stops.findLast((stop) => stop <= start);
    if (target !== undefined) this.cursor = { caption, start: target };
    return true;
  }

  /** Returns the next phrase after a place, or from the beginning, that has no chain. */
  #following(at: Place): Place {
    const all = phrases(this.doc).filter(({ visual, chain }) => visual && chain === "");
    const after = all.find(
      (phrase) =>
        phrase.at.caption > at.caption || (phrase.at.caption === at.caption && phrase.start > at.start),
    );
    return (after ?? all[0])?.at ?? at;
  }

  #set(doc: Doc): void {
    if (doc === this.doc) return;
    this.steps.add(doc);
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
