"""Noun-phrase chunks from part-of-speech tags: a regular grammar over one character a token.

Tags are CLAWS5, those of the British National Corpus (AT0 article, NN1 singular noun, VVG -ing form …).
"""

import re
from collections.abc import Callable, Sequence

from annotation.domain.compounds import joined
from annotation.domain.product_titles import are_finishes, is_purpose, only_names_things
from annotation.domain.subjects import NOUNS
from annotation.domain.tag_context import Readings, is_animate
from annotation.domain.tag_fixes import PLACES, corrected
from annotation.domain.tokens import BEFORE_NUMBERS
from annotation.domain.types import dictionary, word_set
from annotation.domain.written_forms import INCH, NAME, quotations, retagged

# Parts of a preposition, not noun phrases: "in front of [the house]".
_PREPOSITIONS = (
    ("in", "front", "of"),
    ("on", "top", "of"),
    ("in", "back", "of"),
    ("in", "place", "of"),
    ("in", "order", "to"),
)
_BESIDE = frozenset((("to", "the", "right"), ("to", "the", "left")))  # … of [the plate]
_RECIPROCAL = (("each", "other"), ("one", "another"))
# What may open a chunk: "brightly dressed women", "about 20 people".
_LEADING_ADVERB = re.compile(
    r".+ly|very|about|almost|nearly|over|approximately|around|too|so|quite|rather|more|most|less|least|barely"
)
_STANDS_ALONE = re.compile(r"another|some|many|several|this|that|these|those|few|most")
# A noun and one of these make an adjective: "a snow covered hill".
_COMPOUNDING = re.compile(
    r"coated|stained|infused|flavou?red|scented|trimmed|framed|bound|fired|plated|dried|crusted|glazed|dipped"
    r"|mounted|operated|inspired|resistant|proof|free|friendly|ready|rimmed|tipped|soled|backed|covered|filled|lined|shaped|colou?red|sized|strewn|panell?ed|themed|topped|patterned|roasted|made|paved"
    r"|powered|drawn|styled|clad"
)
# What the tagger should see in place of words in quotation marks that are a noun.
_NOUN_IN_QUOTES = "thing"
# -ing forms that describe the noun after them, also without an article: with flashing lights.
_DESCRIBING = re.compile(
    r"(simmer|flash|blink|flow|fall|glow|sleep|shin|sparkl|twinkl|crash|bloom|blossom|tower|slop|oncom|protrud|bulg"
    r"|swell|surround|bubbl|sizzl|overhang|swirl|gleam|glisten|glitter|shimmer|loom|billow|rag|rush|gush|cascad|cheer|smil"
    r"|laugh|grin)ing"
)
# These may also have an object, so they describe a noun only after a preposition: a pot of boiling pasta.
_DESCRIBING_THERE = re.compile(
    r"(boil|roll|burn|steam|melt|float|match|break|ris|sett|grow|wind|curv|spinn|rotat|bleed|churn|swing|contrast"
    r"|recess|fold)ing"
)
# These say what the next noun is for: steel measuring spoons, and carrying case.
_TOOLS = re.compile(r"(measur|scratch|build|mix|cut|charg|bak|stor|chaf|knitt|sew|iron|dock|mount|hang)ing")
_KINDS_OF_TOOLS = word_set(
    "board boards bowl bowls bracket cable case cup cups dish dishes dock handle hardware hook hooks "
    "kit knife loop loops machine mat mats needle needles pad pan pans plate post posts pouch rack set spoon "
    "spoons station "
    "strap table tray trays"
)
# These may have an object: washing dishes. So they describe what would need an article: washing machine.
_TOOLS_OF_ONE = re.compile(
    r"(carry|prun|moisturi[sz]|cleans|hydrat|exfoliat|sand|drill|trimm|grill|serv|curl|shav|cool|heat|light|groom|sleep"
    r"|floss|whiten|polish|garden|juic|wash)ing"
)
_ONE_TOOL = word_set(
    "bag base board bowl box brush case clippers cloth cream dish fan foam gel iron kit lotion machine mask "
    "mat pad platter serum set shears soap sponge spray stone strap system table tool tray wand"
)
_GERUND_FOLLOWS = frozenset(
    ("by", "for", "from", "before", "after", "without", "while", "when", "as", "than")
)
# Before a colour, these describe it: matte black, space gray.
_FINISHES = word_set("matte matt glossy satin metallic space midnight sky ocean forest rose hunter royal jet")
# After these, a colour stands for no clothes: the light turns yellow.
_NAMING = word_set("called named labeled labelled marked titled entitled surrounded reading")
_REPEATING = frozenset(("in", "by", "to", "after"))
_COPULAS = word_set("turn turns turned become becomes glow glows appear appears look looks seem seems")
_NO_NOUNS = frozenset(("AT0", "DPS", "PNP", "EX0", "VBZ", "VBB"))
_NAMES_COLOUR = frozenset(("NN", "NP", "UN", "AJ", "VV"))
_NUMBERING = frozenset(("number", "numbers", "no", *(f"{word}." for word in BEFORE_NUMBERS)))
_NUMBER_SIGNS = frozenset(("#", "$", "€", "£", "¥", "№"))
_SYMBOLS = {
    **dict.fromkeys(("AT0", "DPS"), "D"),
    **dict.fromkeys(("DT0", "DTQ"), "d"),
    **dict.fromkeys(("AJ0", "AJC", "AJS"), "J"),
    **dict.fromkeys(("VVN", "VVD"), "P"),
    **dict.fromkeys(("PRP", "CJS"), "T"),
    **dict.fromkeys(("PNP", "PNX"), "x"),
    **dict.fromkeys(("PNQ", "CJT"), "q"),
    **dict.fromkeys(NOUNS, "N"),
    "VVG": "G",
    "CRD": "C",
    "ORD": "O",
    "AV0": "a",
    "POS": "S",
    "PRF": "F",
    "PNI": "I",
    "CJC": "&",
    INCH: "N",
}

# The symbols: D article or possessive, d and e other determiners (e can stand alone), C number, c number
# that follows its noun, O ordinal, J adjective, K colour, P and p participle (p can open a chunk), Z
# compounding participle, g -ing form before its noun, a and r adverb (r can open a chunk), N noun, S
# possessive 's, F of, I indefinite pronoun, X each other, x and q pronouns, o place adverb, & conjunction,
# T preposition, G -ing form, V other verbs.
_DESCRIBED = r"(?:[ar]*[JKPpZO](?:(?:,&?|&)(?:[ar]*[JKPpg]|N(?=N)))*|[Cg])"  # very young | black and white
_OPENING = r"(?:r*[JKpZO](?:(?:,&?|&)r*[JKp])*|J&N(?=N)|g)"
# ball | tennis ball | lime green shirt | snow covered hill | navy blue and white shirt | number 7 shirt
_NOUN = r"N(?:c*(?:K&K|Z?J?[JKg]?)N)*c*"
_POSSESSED = rf"{_NOUN}(?:S{_DESCRIBED}*{_NOUN})*S?"  # a man 's arm
# Possessive (++, *+), since no shorter run of these would let a noun follow: trying them takes cubic time.
_PHRASE = rf"(?:(?:D&D|[Dde]++|r*C++)(?:{_DESCRIBED}|[Dde])*+[ar]*|(?:{_OPENING}{_DESCRIBED}*+)?){_POSSESSED}"
_ALONE = r"(?:D[JK]+C?|[de]K+|r*C+|e[JK]*|I|d(?=F))"  # the elderly | all black | four | another | someone
_ANY = rf"(?:{_PHRASE}|{_ALONE})"
_GRAMMAR = re.compile(rf"{_ANY}(?:F{_ANY})*(?:Fx|FJ*K(?:&K)*)?|XX|(?<=[TGV])J*K(?:&K)*|[xqo]")


Tags = Callable[[Sequence[str]], list[str]]
"""Returns the tags of a sentence, one for each token."""


def chunks(tokens: Sequence[str], tags_of: Tags, readings: Readings) -> list[tuple[int, int]]:
    """Return the noun-phrase chunks of a sentence: half-open token spans, in order, not overlapping.

    Words in quotation marks that describe a noun or are one belong to its chunk. Others are in none.
    """
    tags = retagged(tokens, tags_of(tokens))
    quoted = list(quotations(tokens, tags))
    if not quoted:
        return _cut(tokens, tags, readings)
    said: list[str] = []
    spans: list[tuple[int, int]] = []  # of each word of `said`
    after = 0
    start = 0
    for first, end, role in [*quoted, (len(tokens), len(tokens), "")]:
        for place in range(after, first):
            said.append(tokens[place])
            spans.append((start if place == after else place, place + 1))
        after = start = end
        if role == "describes":
            start = first
        elif role:
            said.append(_NOUN_IN_QUOTES if role == "names" else tokens[first])
            spans.append((first, end))
    found = _cut(said, retagged(said, tags_of(said)), readings)
    return [(spans[first][0], spans[end - 1][1]) for first, end in found]


def _cut(tokens: Sequence[str], tags: Sequence[str], readings: Readings) -> list[tuple[int, int]]:
    words = [token.lower() for token in tokens]
    fixed = corrected(words, joined(words, tags), readings)
    return [found.span() for found in _GRAMMAR.finditer(_symbols(words, fixed))]


def _symbols(words: Sequence[str], tags: Sequence[str]) -> str:
    symbols: list[str] = []
    colours = dictionary("colours")
    for place, (word, tag) in enumerate(zip(words, tags, strict=True)):
        before = symbols[-1] if symbols else "^"
        symbol = _SYMBOLS.get(tag, "V" if tag[:2] in ("VV", "VH", "VD") else ".")
        following = words[place + 1] if place + 1 < len(words) else ""
        if symbol == "J" and word in colours:
            symbol = "K"
        elif tag in ("NN1", "NP0") and following in colours and (before in "T," or word in _FINISHES):
            symbol = "J"
        elif (tag in NOUNS and word in colours and following in ("", ",", ".") and _is_added(symbols)) or (
            tag[:2] in _NAMES_COLOUR and are_finishes(words, place)
        ):
            symbol = "K"
        elif symbol in ("P", "J") and before == "N" and _COMPOUNDING.fullmatch(word):
            symbol = "Z"
        elif symbol == "P" and ("^" + "".join(symbols).rstrip("r"))[-1] in "^TFG&":
            symbol = "p"
        elif (
            symbol == "P"
            and before == ","
            and tags[place + 1 : place + 2] == ["AJ0"]
            and only_names_things(symbols, words)
        ):
            symbol = "p"  # bumper guard, brushed stainless steel
        elif (
            symbol == "P"
            and place + 1 < len(tags)
            and (
                tags[place + 1] in NOUNS
                or (tags[place + 1] == "AJ0" and tags[place + 2 : place + 3] == ["NN1"])
            )
            and _describes(before, words, place)
        ):
            symbol = "Z" if before == "N" else "p"
        elif symbol == "G" and _precedes_its_noun(symbols, words, tags, place):
            symbol = "g"
        elif symbol == "a" and _LEADING_ADVERB.fullmatch(word):
            symbol = "r"
        elif symbol == "d" and _STANDS_ALONE.fullmatch(word):
            symbol = "e"
        elif word == ",":
            symbol = ","
        elif symbol == "N" and word != "%" and tag not in (INCH, NAME) and not any(map(str.isalnum, word)):
            symbol = "C" if word in _NUMBER_SIGNS and _is_written(following) else "."
        if symbol == "F" and tuple(words[max(0, place - 3) : place]) in _BESIDE:
            symbol = "T"
        if word in _COPULAS and symbol == "V":
            symbol = "."
        subject_follows = (tags[place + 1 : place + 2] or [""])[0] in _NO_NOUNS
        if symbol == "d" and word == "which" and (subject_follows or before == "T"):
            symbol = "q"  # a chart in which arrows connect boxes
        if symbol == "C" and _numbers(before, words, tags, place):
            symbol = "c"
        if word in PLACES and before not in "DJK":
            symbol = "o"
        symbols.append(symbol)
    for place in range(len(words) - 2):
        if words[place] == words[place + 2] and words[place + 1] in _REPEATING and symbols[place] == "N":
            symbols[place : place + 3] = "...."[:3]  # hand in hand
    for pattern, symbol in ((_PREPOSITIONS, "T"), (_RECIPROCAL, "X")):
        _replace(symbols, words, pattern, symbol)
    return "".join(symbols)


def _is_added(symbols: Sequence[str]) -> bool:
    """Return whether a word ends an addition of adjectives after a comma: *, waterproof, warm white*."""
    return bool(symbols) and symbols[-1] == "J" and "".join(symbols).rstrip("JK").endswith(",")


def _describes(before: str, words: Sequence[str], place: int) -> bool:
    """Return whether a participle describes the noun after it: *plates seared scallops*."""
    if before == "V":
        return words[place - 1] not in ("has", "have", "had", "having")
    return before == "N" and words[place] not in _NAMING and not is_animate(words[place - 1])


def _numbers(before: str, words: Sequence[str], tags: Sequence[str], place: int) -> bool:
    """Return whether a number belongs to the noun before it: *number five*, *player # 8*, *bus 12*."""
    if before == "c" or (before == "N" and words[place - 1] in _NUMBERING):
        return True
    after = tags[place + 1 : place + 2]
    written = _is_written(words[place]) or words[place] in _NUMBER_SIGNS
    return before == "N" and written and not (after and (after[0] in NOUNS or after[0] in ("AJ0", "PRF")))


def _is_written(number: str) -> bool:
    """Return whether a number is written in digits."""
    return any(map(str.isdecimal, number))


def _precedes_its_noun(symbols: Sequence[str], words: Sequence[str], tags: Sequence[str], place: int) -> bool:
    """Return whether an -ing form describes the noun after it.

    It does in *a smiling woman* and *two running dogs*, but not in *one wearing jeans*.
    """
    noun_follows = place + 1 < len(tags) and tags[place + 1] in NOUNS
    if noun_follows and is_purpose("".join(symbols), words, tags, place):
        return True
    if noun_follows and (symbols[-1:] == ["S"] or (symbols[-1:] == ["N"] and _is_written(words[place - 1]))):
        return True  # men 's running shoes, Forerunner 255 running watch
    animate_follows = noun_follows and is_animate(words[place + 1])
    opening = "".join(symbols).rstrip("JKrga,&")
    follows_thing = not symbols or (symbols[-1] in "NTFG&," and not is_animate(words[place - 1]))
    following = words[place + 1] if place + 1 < len(words) else ""
    bare = "V" not in symbols and only_names_things(symbols, words)
    of_tool = following in _KINDS_OF_TOOLS and _TOOLS.fullmatch(words[place])
    of_one = following in _ONE_TOOL and _TOOLS_OF_ONE.fullmatch(words[place])
    if (follows_thing or (bare and symbols[-1:] == ["N"])) and (of_tool or of_one):
        return True
    if opening.endswith("D"):
        return animate_follows or (symbols[-1] != "," and words[place - 1] != "other")
    if animate_follows and bool(symbols) and symbols[-1] in "CdeJ":
        return True
    if place and words[place - 1] in _GERUND_FOLLOWS:
        return False
    noun_follows = noun_follows or (tags[place + 1 : place + 2] == ["AJ0"] and place + 2 < len(tags))
    if _DESCRIBING.fullmatch(words[place]):
        return noun_follows and (not symbols or symbols[-1] in "TFG&,CdeJK")
    return (
        noun_follows
        and bool(symbols)
        and symbols[-1] in "TF"
        and bool(_DESCRIBING_THERE.fullmatch(words[place]))
    )


def _replace(
    symbols: list[str], words: Sequence[str], patterns: Sequence[tuple[str, ...]], symbol: str
) -> None:
    for pattern in patterns:
        size = len(pattern)
        for place in range(len(words) - size + 1):
            if tuple(words[place : place + size]) == pattern:
                symbols[place : place + size] = [symbol] * size
