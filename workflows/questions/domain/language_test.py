"""The sentences of the test that writers of captions take first: each has one mistake to correct [ours].

Section 2.3.2 of the ranking task says that workers pass a brief test of spelling and grammar; its items are
not published. A sentence is right if it equals a correction, but for spaces, the case of its first letter and
its final mark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from annotation.languages import primary


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with a mistake, all corrections that are right, and what the mistake is."""

    text: str
    corrections: tuple[str, ...]
    why: str


def _one(text: str, *corrections: str, why: str) -> Sentence:
    return Sentence(text, corrections, why)


_ENGLISH = (
    # The first form.
    _one("Two dogs is running on the beach.", "Two dogs are running on the beach.", why="Two dogs are."),
    _one("A man rides a bicicle.", "A man rides a bicycle.", why="It is spelled bicycle."),
    _one("The woman wear a red coat.", "The woman wears a red coat.", why="One woman wears."),
    _one("A boy is siting on a bench.", "A boy is sitting on a bench.", why="It is spelled sitting."),
    _one("An man reads a newspaper.", "A man reads a newspaper.", why="A stands before a consonant."),
    _one("Three childs play in the sand.", "Three children play in the sand.", why="The plural is children."),
    _one("A girl jumps of a wall.", "A girl jumps off a wall.", why="Off means down from."),
    _one("People are standing infront of a shop.", "People are standing in front of a shop.",
         why="In front of is three words."),
    _one("A dog catch a ball.", "A dog catches a ball.", why="One dog catches."),
    _one("The men are waring helmets.", "The men are wearing helmets.", why="It is spelled wearing."),
    _one("There is many boats in the harbour.", "There are many boats in the harbour.",
         "There are many boats in the harbor.", why="Many boats are."),
    _one("A woman holds her to children.", "A woman holds her two children.", why="Two is the number."),
    # The second form.
    _one("A group of people are wait for a bus.", "A group of people are waiting for a bus.",
         "A group of people is waiting for a bus.", why="It goes on now: waiting."),
    _one("The cat sleeps on it's blanket.", "The cat sleeps on its blanket.", why="Its has no apostrophe."),
    _one("A man plays an guitar.", "A man plays a guitar.", why="A stands before a consonant."),
    _one("Two womans talk at a table.", "Two women talk at a table.", why="The plural is women."),
    _one("A biker jump over a hill.", "A biker jumps over a hill.", why="One biker jumps."),
    _one("The kitchen is full of peaple.", "The kitchen is full of people.", why="It is spelled people."),
    _one("A child is swiming in a pool.", "A child is swimming in a pool.", why="It is spelled swimming."),
    _one("The players was celebrating a goal.", "The players were celebrating a goal.",
         "The players are celebrating a goal.", why="Several players were."),
    _one("A man with glasses look at a map.", "A man with glasses looks at a map.", why="One man looks."),
    _one("There are a horse in the field.", "There is a horse in the field.", why="One horse is."),
    _one("A lady walks threw the park.", "A lady walks through the park.",
         why="Threw is the past tense of throw; the word here is through."),
    _one("The boys are climbing a latter.", "The boys are climbing a ladder.", why="One climbs a ladder."),
)  # fmt: skip
_GERMAN = (
    _one("Zwei Hunde läuft am Strand.", "Zwei Hunde laufen am Strand.", why="Zwei Hunde laufen."),
    _one("Ein Man fährt mit dem Rad.", "Ein Mann fährt mit dem Rad.", why="Mann hat zwei n."),
    _one("Die Frau trägt ein roten Mantel.", "Die Frau trägt einen roten Mantel.",
         why="Es heißt: einen Mantel."),
    _one("Ein Junge sizt auf einer Bank.", "Ein Junge sitzt auf einer Bank.", why="Sitzt hat ein t vor z."),
    _one("Drei kinder spielen im Sand.", "Drei Kinder spielen im Sand.", why="Hauptwörter beginnen groß."),
    _one("Der Hund fangt einen Ball.", "Der Hund fängt einen Ball.", why="Es heißt: er fängt."),
    _one("Menschen stehen vor ein Laden.", "Menschen stehen vor einem Laden.", why="Es heißt: vor einem."),
    _one("Eine Frau ließt ein Buch.", "Eine Frau liest ein Buch.", why="Liest kommt von lesen."),
    _one("Im Hafen liegt viele Boote.", "Im Hafen liegen viele Boote.", why="Viele Boote liegen."),
    _one("Die Spieler feiert ein Tor.", "Die Spieler feiern ein Tor.", "Der Spieler feiert ein Tor.",
         why="Die Spieler feiern."),
    _one("Das Mädchen springt von der Mauern.", "Das Mädchen springt von der Mauer.",
         "Das Mädchen springt von den Mauern.", why="Es ist eine Mauer."),
    _one("Ein Pferd steht auf einer grüne Wiese.", "Ein Pferd steht auf einer grünen Wiese.",
         why="Es heißt: auf einer grünen Wiese."),
    _one("Ein Koch schneided Gemüse.", "Ein Koch schneidet Gemüse.", why="Er schneidet, mit t am Ende."),
    _one("Drei Kühe steht auf einer Weide.", "Drei Kühe stehen auf einer Weide.", why="Drei Kühe stehen."),
    _one("Eine Frau gießt ihre blumen.", "Eine Frau gießt ihre Blumen.", why="Hauptwörter beginnen groß."),
    _one("Ein Mann mit Hut wart auf den Bus.", "Ein Mann mit Hut wartet auf den Bus.",
         why="Es heißt: er wartet."),
    _one("Auf dem Tisch stehen zwei Gläßer.", "Auf dem Tisch stehen zwei Gläser.", why="Gläser hat ein s."),
    _one("Die Kinder laufen durch der Park.", "Die Kinder laufen durch den Park.",
         why="Es heißt: durch den Park."),
    _one("Ein alter Man füttert Enten.", "Ein alter Mann füttert Enten.", why="Mann hat zwei n."),
    _one("Das Boot liegt am Uffer.", "Das Boot liegt am Ufer.", why="Ufer hat ein f."),
    _one("Zwei Fraun reden an einem Tisch.", "Zwei Frauen reden an einem Tisch.",
         why="Die Mehrzahl ist Frauen."),
    _one("Ein Kind schwimt im Becken.", "Ein Kind schwimmt im Becken.", why="Schwimmt hat zwei m."),
    _one("Der Mann spielen Gitarre.", "Der Mann spielt Gitarre.", why="Ein Mann spielt."),
    _one("Die Jungen klettern auf einen Leiter.", "Die Jungen klettern auf eine Leiter.",
         why="Es heißt: die Leiter."),
)  # fmt: skip
SENTENCES: Mapping[str, tuple[Sentence, ...]] = MappingProxyType({"en": _ENGLISH, "de": _GERMAN})
"""By language. Tries draw from all of them, and no worker gets a sentence twice."""
TRAINING_SENTENCES = 4
"""So many, the last ones, are explained before the test."""


def sentences_for(language: str) -> tuple[Sequence[Sentence], Sequence[Sentence]]:
    """Return the sentences of the training and of the test for a language (a BCP 47 tag).

    Both are empty if there are none.
    """
    found = SENTENCES.get(primary(language), ())
    return found[len(found) - TRAINING_SENTENCES :], found[: max(0, len(found) - TRAINING_SENTENCES)]
