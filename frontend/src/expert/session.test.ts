import { beforeEach, expect, test, vi } from "vitest";
import { phraseAt } from "./annotation";
import { Session } from "./session.svelte";
import { readSetup, type Setup } from "./setup";

const word = (text: string, place: number) => ({
  before: place === 0 ? "" : " ",
  text,
  types: ["other" as const],
});

function setup(version = "1"): Setup {
  return {
    image: { id: "7", url: "photo.jpg", width: 400, height: 300 },
    label: "a.jpg",
    user: "rita",
    minimum_side: 3,
    version,
    purpose: "final",
    purposes: [
      { value: "final", name: "Final", help: "" },
      { value: "gold", name: "Gold", help: "" },
    ],
    captions: ["a man walks", "the man"].map((text, place) => ({
      words: text.split(" ").map(word),
      tail: "",
      phrases: [{ start: 0, end: 2, types: ["people"], visual: true, chain: place === 2 ? "A" : "" }],
    })),
    types: ["people", "other", "food"].map((key) => ({ key, label: key })),
    chains: [],
    save: "Save",
    address: "/save",
  };
}

function reply(status: number, body: unknown): void {
  vi.stubGlobal(
    "fetch",
    vi.fn(() =>
      Promise.resolve(
        new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } }),
      ),
    ),
  );
}

/** Both men in one chain with a box. */
function finished(session: Session): Session {
  session.edit({ kind: "assign", letter: "A" });
  session.edit({ kind: "assign", letter: "A" });
  session.draw([1, 2, 30, 40]);
  return session;
}

beforeEach(() => {
  localStorage.clear();
});

test("a number gives the type at its place, also one that the project added, and no other", () => {
  const session = new Session(setup());
  session.edit({ kind: "type", place: 2 });
  expect(phraseAt(session.doc, session.cursor)?.types).toEqual(["people", "food"]);
  const before = session.doc;
  session.edit({ kind: "type", place: 3 });
  expect(session.doc).toBe(before);
});

test("a letter puts a phrase into its chain, and goes on to the next phrase without one", () => {
  const session = new Session(setup());
  session.edit({ kind: "assign", letter: "A" });
  expect(session.cursor).toEqual({ caption: 1, start: 0 });
  session.edit({ kind: "own" });
  expect(session.letters).toEqual(["A", "B"]);
  expect(session.held).toBe("B");
});

test("arrows go through words and phrases, and from one caption to the next", () => {
  const session = new Session(setup());
  const way = [0, 1, 2, 3].map(() => {
    session.edit({ kind: "go", by: 1 });
    return `${String(session.cursor.caption)}:${String(session.cursor.start)}`;
  });
  expect(way).toEqual(["0:2", "1:0", "1:0", "1:0"]);
});

test("everything can be undone and redone, boxes too", () => {
  const session = finished(new Session(setup()));
  expect(session.undo()).toBe(true);
  expect(session.doc.chains["A"]?.boxes).toEqual([]);
  session.undo();
  session.undo();
  expect(session.letters).toEqual([]);
  expect(session.undo()).toBe(false);
  session.redo();
  session.redo();
  session.redo();
  expect(session.doc.chains["A"]?.boxes).toEqual([[1, 2, 30, 40]]);
});

test("a box that is drawn without a chain in hand gives the phrase at the cursor one", () => {
  const session = new Session(setup());
  session.draw([1, 2, 30, 40]);
  expect(phraseAt(session.doc, { caption: 0, start: 0 })?.chain).toBe("A");
  session.choose(1);
  session.draw([5, 5, 60, 60]);
  expect(session.doc.chains["A"]?.boxes).toHaveLength(2);
});

test("a box that takes the place of another one is said, with the ways back and to a second one", () => {
  const session = finished(new Session(setup()));
  session.said = "";
  expect(session.draw([1, 2, 35, 40])).toBe(false);
  expect(session.said, "an edge was moved").toBe("");
  expect(session.draw([100, 100, 150, 150])).toBe(true);
  expect(session.chain.boxes).toEqual([[100, 100, 150, 150]]);
  expect(session.said).toBe(
    "The box of A “the man” was replaced. z brings it back; for a second box, press b first.",
  );
  session.undo();
  session.another();
  expect(session.draw([100, 100, 150, 150])).toBe(false);
  expect(session.chain.boxes).toHaveLength(2);
});

test("a reason why a chain has no box says that its boxes are gone", () => {
  const session = finished(new Session(setup()));
  session.flag("A", "scene");
  expect(session.said).toBe("A “the man” is a scene. It has lost its box; z brings back what was lost.");
  session.undo();
  expect(session.chain.boxes).toHaveLength(1);
});

test("what is not saved is there again, also for another version of the image", () => {
  finished(new Session(setup()));
  const again = new Session(setup());
  expect([again.restored, again.letters]).toEqual(["draft", ["A"]]);
  const later = new Session(setup("2"));
  expect([later.restored, later.version]).toEqual(["old draft", "1"]);
  later.reset();
  expect([later.letters, later.version]).toEqual([[], "2"]);
  expect(new Session(setup("2")).restored).toBe("");
});

test("what is saved is no draft any more", async () => {
  reply(200, { next: "/next" });
  const session = finished(new Session(setup()));
  expect(await session.save("token")).toBe("/next");
  expect(new Session(setup()).restored).toBe("");
  const [address, sent] = vi.mocked(fetch).mock.calls[0] ?? [];
  expect(address).toBe("/save");
  expect(JSON.parse(String(sent?.body))).toMatchObject({
    version: "1",
    purpose: "final",
    chains: [{ name: "A", boxes: [[1, 2, 30, 40]], flag: "" }],
  });
});

test("nothing is sent while something is missing, and the cursor goes there", async () => {
  reply(200, { next: "/next" });
  const session = new Session(setup());
  session.edit({ kind: "assign", letter: "A" });
  session.cursor = { caption: 0, start: 2 };
  expect(await session.save("token")).toBe("");
  expect(session.cursor).toEqual({ caption: 1, start: 0 });
  expect(fetch).not.toHaveBeenCalled();
});

test("somebody else's change is told, and one's own work goes on with the new version and the same key", async () => {
  const session = finished(new Session(setup()));
  reply(409, { error: "It has changed.", version: "2", changes: ["a box"] });
  expect(await session.save("token")).toBe("");
  expect(session.changed).toEqual({ says: "It has changed.", changes: ["a box"] });
  const first = JSON.parse(String(vi.mocked(fetch).mock.calls[0]?.[1]?.body)) as { key: string };
  reply(200, { next: "/next" });
  expect(await session.save("token")).toBe("/next");
  const second = JSON.parse(String(vi.mocked(fetch).mock.calls[0]?.[1]?.body)) as {
    key: string;
    version: string;
  };
  expect([second.version, second.key]).toEqual(["2", first.key]);
});

test.each([
  [() => reply(422, { error: "Chain A has no box." }), "Chain A has no box."],
  [() => vi.stubGlobal("fetch", () => Promise.reject(new TypeError())), /does not answer/],
  [() => vi.stubGlobal("fetch", () => Promise.resolve(new Response("<html>"))), /not logged in/],
  [() => vi.stubGlobal("fetch", () => Promise.resolve(new Response("", { status: 500 }))), /has failed/],
])("what the server refuses is said, and kept", async (answer, says) => {
  answer();
  const session = finished(new Session(setup()));
  expect(await session.save("token")).toBe("");
  expect(session.refusal).toMatch(says);
  expect(new Session(setup()).letters).toEqual(["A"]);
});

test.each(["", "{}", "null", "no json", '{"image": {}}'])("%j sets up nothing", (json) => {
  expect(readSetup(json)).toBeNull();
});

/** Both men in chain A with a box, and a chain B of what they do, without one. */
function two(): Session {
  const session = finished(new Session(setup()));
  session.mark(0, 2, 3);
  session.edit({ kind: "own" });
  return session;
}

test("a letter takes a chain in hand, and only a phrase at the cursor that has none gets it", () => {
  const session = two();
  session.cursor = { caption: 0, start: 2 };
  session.letter("A", true);
  expect([session.held, phraseAt(session.doc, session.cursor)?.chain]).toEqual(["A", "B"]);
  expect(session.said).toBe("A “the man” is in hand. “walks” stays in B; c puts it here.");
  session.letter("V", true);
  expect([session.held, session.said]).toEqual(["A", "There is no chain V."]);
  session.edit({ kind: "join" });
  expect(phraseAt(session.doc, session.cursor)?.chain).toBe("A");
  session.undo();
  const loose = new Session(setup("2"));
  loose.reset();
  loose.letter("B", false);
  expect(loose.letters).toEqual([]);
  loose.letter("B", true);
  expect(loose.letters).toEqual(["B"]);
});

test("what is undone is said, and one is where it was", () => {
  const session = two();
  session.cursor = { caption: 1, start: 0 };
  session.hold("B");
  session.draw([5, 5, 60, 60]);
  session.hold("A");
  session.undo();
  expect([session.held, session.said]).toEqual(["B", "Undone: a box of B."]);
  session.undo();
  expect([session.cursor, session.said]).toEqual([{ caption: 0, start: 2 }, "Undone: “walks” in chain B."]);
  session.redo();
  expect(session.said).toBe("Done again: “walks” in chain B.");
});

test("a box of another chain is taken over, the next one by the same key, and it can leave its chain", () => {
  const session = two();
  session.hold("A");
  session.choose(1);
  session.draw([100, 100, 150, 150]);
  session.hold("B");
  session.take(false);
  expect(session.doc.chains["B"]?.boxes).toEqual([[1, 2, 30, 40]]);
  session.take(false);
  expect(session.doc.chains["B"]?.boxes).toEqual([[100, 100, 150, 150]]);
  session.take(true);
  expect(session.doc.chains["A"]?.boxes).toEqual([[1, 2, 30, 40]]);
  expect(session.doc.chains["B"]?.boxes).toEqual([[100, 100, 150, 150]]);
  session.undo();
  expect(session.doc.chains["A"]?.boxes).toHaveLength(2);
  session.hold("B");
  session.take(false, session.foreign[0]);
  expect(session.doc.chains["B"]?.boxes).toHaveLength(2);
  session.take(false);
  expect(session.doc.chains["B"]?.boxes).toHaveLength(2);
  expect(session.said).toBe("No other chain has a box that this one lacks.");
});

test("after another box is begun, a box of another chain is added and replaces none", () => {
  const session = two();
  session.hold("A");
  session.another();
  session.draw([100, 100, 150, 150]);
  session.hold("B");
  session.take(false);
  session.another();
  session.take(false);
  expect(session.doc.chains["B"]?.boxes).toEqual([
    [1, 2, 30, 40],
    [100, 100, 150, 150],
  ]);
});

test("a box that moves to another chain comes back by one undo", () => {
  const session = two();
  session.hold("A");
  const before = session.doc;
  expect(before.chains["A"]?.boxes).toHaveLength(1);
  session.hold("B");
  session.take(true);
  expect(session.doc.chains["B"]?.boxes).toEqual([[1, 2, 30, 40]]);
  expect(session.doc.chains["A"]?.boxes).toEqual([]);
  expect(session.said).toContain("has lost the box");
  session.undo();
  expect(session.doc).toBe(before);
  expect(session.said).toBe("Undone: the box of A is in B now.");
});

test("another box is one of the chain that was drawn last, if the one in hand has none", () => {
  const session = two();
  session.hold("A");
  session.draw([1, 2, 31, 40]);
  session.next();
  expect(session.held).toBe("B");
  session.another();
  expect([session.held, session.box]).toEqual(["A", 1]);
  session.walk(1);
  expect(session.held).toBe("B");
  session.walk(1);
  expect(session.held).toBe("A");
});

test("a point that makes no box yet changes nothing", () => {
  const session = two();
  session.hold("A");
  session.another();
  const { doc } = session;
  session.draw(null);
  expect([session.doc, session.box]).toEqual([doc, 1]);
  session.choose(0);
  session.draw(null);
  expect(session.chain.boxes).toEqual([]);
});

test("how boxes are drawn is kept for later images", () => {
  const session = new Session(setup());
  expect(session.method).toBe("drag");
  session.draws(true);
  expect(new Session(setup()).method).toBe("extreme");
  session.draws(false);
});

test("undo takes back the points of a box one by one, and then the step before", () => {
  const session = two();
  session.hold("A");
  const before = session.doc;
  session.draw([1, 2, 31, 40]);
  const { doc } = session;
  session.another();
  session.marks = [
    [5, 5],
    [9, 30],
  ];
  session.undo();
  expect([session.doc, session.marks]).toEqual([doc, [[5, 5]]]);
  expect(session.said).toBe("Undone: a point. Points that are set: 1.");
  expect(session.canUndo).toBe(true);
  session.undo();
  expect(session.marks).toEqual([]);
  session.undo();
  expect(session.doc).toBe(before);
  expect(session.said).toBe("Undone: a box of A.");
});

test("a first point can be undone where nothing else was done", () => {
  const session = new Session(setup());
  session.marks = [[5, 5]];
  expect(session.canUndo).toBe(true);
  expect(session.undo()).toBe(true);
  expect([session.marks, session.canUndo]).toEqual([[], false]);
});

test("0 goes on to the next phrase without a chain, as a letter does, and back to visual stays", () => {
  const session = new Session(setup());
  const first = session.cursor;
  session.edit({ kind: "visual" });
  expect(session.cursor).not.toEqual(first);
  session.undo();
  expect(session.cursor).toEqual(first);
  session.edit({ kind: "visual" });
  session.cursor = first;
  session.edit({ kind: "visual" });
  expect(session.cursor).toEqual(first);
});
