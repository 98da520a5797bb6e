"""The sentences of the test that writers of captions take first: each has one mistake to correct [ours].

Section 2.3.2 of the ranking task says that workers pass a brief test of spelling and grammar; its items are
not published. Workers correct a sentence in many ways, so a correction may have alternatives: articles,
tenses, and words that keep its sense. See `right_answers.corrects`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from annotation.languages import primary


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with a mistake, what the mistake is, and the corrections that are right.

    The first correction is the nearest one. In the others, alternatives are in parentheses.
    """

    text: str
    corrections: tuple[str, ...]
    why: str


def _one(text: str, *corrections: str, why: str) -> Sentence:
    return Sentence(text, corrections, why)


_ENGLISH = (
    # The first form.
    _one("Two dogs is running on the beach.", "Two dogs are running on the beach.",
         "(|The) two dogs (run|are running|were running|ran) (on|along) (the|a) beach.",
         why="Two dogs are."),
    _one("A man rides a bicicle.", "A man rides a bicycle.",
         "(A|The) man (rides|is riding|was riding|rode) (a|the|his) (bicycle|bike).",
         why="It is spelled bicycle."),
    _one("The woman wear a red coat.", "The woman wears a red coat.",
         "(The|A) woman (wears|is wearing|was wearing|wore) (a|the|her) red coat.", why="One woman wears."),
    _one("A boy is siting on a bench.", "A boy is sitting on a bench.",
         "(A|The) boy (sits|is sitting|was sitting|sat) on (a|the) bench.", why="It is spelled sitting."),
    _one("An man reads a newspaper.", "A man reads a newspaper.",
         "(A|The) man (reads|is reading|was reading|read) (a|the|his) newspaper.",
         why="A stands before a consonant."),
    _one("Three childs play in the sand.", "Three children play in the sand.",
         "(|The) three (children|kids) (play|are playing|were playing|played) in the sand.",
         why="The plural is children."),
    _one("A girl jumps of a wall.", "A girl jumps off a wall.",
         "(A|The) girl (jumps|is jumping|was jumping|jumped) (off|off of|from) (a|the) wall.",
         why="Off means down from."),
    _one("People are standing infront of a shop.", "People are standing in front of a shop.",
         "(|The|Some) people (stand|are standing|were standing|stood) in front of (a|the) shop.",
         why="In front of is three words."),
    _one("A dog catch a ball.", "A dog catches a ball.",
         "(A|The) dog (catches|is catching|was catching|caught) (a|the|its) ball.", why="One dog catches."),
    _one("The men are waring helmets.", "The men are wearing helmets.",
         "(|The) men (wear|are wearing|were wearing|wore) (|their) helmets.", why="It is spelled wearing."),
    _one("There is many boats in the harbour.", "There are many boats in the harbour.",
         "There (are|were) (many|a lot of|lots of) boats in (the|a) (harbour|harbor).",
         "(Many|A lot of|Lots of) boats (are|were) in (the|a) (harbour|harbor).", why="Many boats are."),
    _one("A woman holds her to children.", "A woman holds her two children.",
         "(A|The) woman (holds|is holding|was holding|held) her (two|2) (children|kids).",
         why="Two is the number."),
    # The second form.
    _one("A group of people are wait for a bus.", "A group of people are waiting for a bus.",
         "(A|The) group of people (is|are|was|were) waiting for (a|the) bus.",
         "(A|The) group of people (waits|wait|waited) for (a|the) bus.", why="It goes on now: waiting."),
    _one("The cat sleeps on it's blanket.", "The cat sleeps on its blanket.",
         "(The|A) cat (sleeps|is sleeping|was sleeping|slept) on (its|her|his) blanket.",
         why="Its has no apostrophe."),
    _one("A man plays an guitar.", "A man plays a guitar.",
         "(A|The) man (plays|is playing|was playing|played) (|a|the|his) guitar.",
         why="A stands before a consonant."),
    _one("Two womans talk at a table.", "Two women talk at a table.",
         "(|The) two women (talk|are talking|were talking|talked) at (a|the) table.",
         why="The plural is women."),
    _one("A biker jump over a hill.", "A biker jumps over a hill.",
         "(A|The) biker (jumps|is jumping|was jumping|jumped) over (a|the) hill.", why="One biker jumps."),
    _one("The kitchen is full of peaple.", "The kitchen is full of people.",
         "(The|A) kitchen('s| is| was) full of people.", why="It is spelled people."),
    _one("A child is swiming in a pool.", "A child is swimming in a pool.",
         "(A|The) child (swims|is swimming|was swimming|swam) in (a|the) pool.",
         why="It is spelled swimming."),
    _one("The players was celebrating a goal.", "The players were celebrating a goal.",
         "(|The) players (celebrate|are celebrating|were celebrating|celebrated) (a|the|their) goal.",
         why="Several players were."),
    _one("A man with glasses look at a map.", "A man with glasses looks at a map.",
         "(A|The) man (with|wearing) glasses (looks|is looking|was looking|looked) at (a|the) map.",
         why="One man looks."),
    _one("There are a horse in the field.", "There is a horse in the field.",
         "There (is|was) (a|one) horse in (the|a) field.", "There's (a|one) horse in (the|a) field.",
         "There (are|were) (|some) horses in (the|a) field.",
         "(A|The|One) horse (is|was) in (the|a) field.", why="One horse is."),
    _one("A lady walks threw the park.", "A lady walks through the park.",
         "(A|The) lady (walks|is walking|was walking|walked) through (the|a) park.",
         why="Threw is the past tense of throw; the word here is through."),
    _one("The boys are climbing a latter.", "The boys are climbing a ladder.",
         "(|The|Some) boys (climb|are climbing|were climbing|climbed) (|up) (a|the) ladder.",
         why="One climbs a ladder."),
)  # fmt: skip
_GERMAN = (
    _one("Zwei Hunde läuft am Strand.", "Zwei Hunde laufen am Strand.",
         "(|Die) (zwei|beiden) Hunde (laufen|liefen|rennen|rannten) am Strand.", why="Zwei Hunde laufen."),
    _one("Ein Man fährt mit dem Rad.", "Ein Mann fährt mit dem Rad.",
         "(Ein|Der) Mann (fährt|fuhr) (mit dem|mit einem|mit seinem|) (Rad|Fahrrad).",
         why="Mann hat zwei n."),
    _one("Die Frau trägt ein roten Mantel.", "Die Frau trägt einen roten Mantel.",
         "(Die|Eine) Frau (trägt|trug) (einen|den|ihren) roten Mantel.", why="Es heißt: einen Mantel."),
    _one("Ein Junge sizt auf einer Bank.", "Ein Junge sitzt auf einer Bank.",
         "(Ein|Der) Junge (sitzt|saß) auf (einer|der) Bank.", why="Sitzt hat ein t vor z."),
    _one("Drei kinder spielen im Sand.", "Drei Kinder spielen im Sand.",
         "(|Die) drei Kinder (spielen|spielten) im Sand.", why="Hauptwörter beginnen groß."),
    _one("Der Hund fangt einen Ball.", "Der Hund fängt einen Ball.",
         "(Der|Ein) Hund (fängt|fing) (einen|den|seinen) Ball.", why="Es heißt: er fängt."),
    _one("Menschen stehen vor ein Laden.", "Menschen stehen vor einem Laden.",
         "(|Die|Einige) Menschen (stehen|standen) vor (einem|dem) Laden.", why="Es heißt: vor einem."),
    _one("Eine Frau ließt ein Buch.", "Eine Frau liest ein Buch.",
         "(Eine|Die) Frau (liest|las) (ein|das|ihr) Buch.", why="Liest kommt von lesen."),
    _one("Im Hafen liegt viele Boote.", "Im Hafen liegen viele Boote.",
         "(Im|In dem|In einem) Hafen (liegen|lagen) viele Boote.",
         "Viele Boote (liegen|lagen) (im|in dem|in einem) Hafen.", why="Viele Boote liegen."),
    _one("Die Spieler feiert ein Tor.", "Die Spieler feiern ein Tor.",
         "(|Die) Spieler (feiern|feierten) (ein|das|ihr) Tor.",
         "(Der|Ein) Spieler (feiert|feierte) (ein|das|sein) Tor.", why="Die Spieler feiern."),
    _one("Das Mädchen springt von der Mauern.", "Das Mädchen springt von der Mauer.",
         "(Das|Ein) Mädchen (springt|sprang) von (der|einer) Mauer.",
         "(Das|Ein) Mädchen (springt|sprang) von den Mauern.", why="Es ist eine Mauer."),
    _one("Ein Pferd steht auf einer grüne Wiese.", "Ein Pferd steht auf einer grünen Wiese.",
         "(Ein|Das) Pferd (steht|stand) auf (einer|der) grünen Wiese.",
         why="Es heißt: auf einer grünen Wiese."),
    _one("Ein Koch schneided Gemüse.", "Ein Koch schneidet Gemüse.",
         "(Ein|Der) Koch (schneidet|schnitt) (|das) Gemüse.", why="Er schneidet, mit t am Ende."),
    _one("Drei Kühe steht auf einer Weide.", "Drei Kühe stehen auf einer Weide.",
         "(|Die) drei Kühe (stehen|standen) auf (einer|der) Weide.", why="Drei Kühe stehen."),
    _one("Eine Frau gießt ihre blumen.", "Eine Frau gießt ihre Blumen.",
         "(Eine|Die) Frau (gießt|goss) (|ihre|die) Blumen.", why="Hauptwörter beginnen groß."),
    _one("Ein Mann mit Hut wart auf den Bus.", "Ein Mann mit Hut wartet auf den Bus.",
         "(Ein|Der) Mann mit (|einem|dem) Hut (wartet|wartete) auf (den|einen) Bus.",
         why="Es heißt: er wartet."),
    _one("Auf dem Tisch stehen zwei Gläßer.", "Auf dem Tisch stehen zwei Gläser.",
         "Auf (dem|einem) Tisch (stehen|standen) (zwei|die zwei) Gläser.",
         "Zwei Gläser (stehen|standen) auf (dem|einem) Tisch.", why="Gläser hat ein s."),
    _one("Die Kinder laufen durch der Park.", "Die Kinder laufen durch den Park.",
         "(|Die) Kinder (laufen|liefen|rennen|rannten) durch (den|einen) Park.",
         why="Es heißt: durch den Park."),
    _one("Ein alter Man füttert Enten.", "Ein alter Mann füttert Enten.",
         "(Ein alter|Der alte) Mann (füttert|fütterte) (|die) Enten.", why="Mann hat zwei n."),
    _one("Das Boot liegt am Uffer.", "Das Boot liegt am Ufer.",
         "(Das|Ein) Boot (liegt|lag) (am|an einem) Ufer.", why="Ufer hat ein f."),
    _one("Zwei Fraun reden an einem Tisch.", "Zwei Frauen reden an einem Tisch.",
         "(|Die) (zwei|beiden) Frauen (reden|redeten|sprechen) an (einem|dem) Tisch.",
         why="Die Mehrzahl ist Frauen."),
    _one("Ein Kind schwimt im Becken.", "Ein Kind schwimmt im Becken.",
         "(Ein|Das) Kind (schwimmt|schwamm) (im|in einem) Becken.", why="Schwimmt hat zwei m."),
    _one("Der Mann spielen Gitarre.", "Der Mann spielt Gitarre.",
         "(Der|Ein) Mann (spielt|spielte) (|die|eine) Gitarre.",
         "(|Die) Männer (spielen|spielten) (|die) Gitarre.", why="Ein Mann spielt."),
    _one("Die Jungen klettern auf einen Leiter.", "Die Jungen klettern auf eine Leiter.",
         "(|Die) Jungen (klettern|kletterten) auf (eine|die) Leiter.", why="Es heißt: die Leiter."),
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
