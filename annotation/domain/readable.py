"""Frees the text of a caption from what programs left in it: HTML, invisible characters, missing values."""

from __future__ import annotations

import re
from html import unescape
from html.entities import html5
from unicodedata import category

from annotation.domain.emoji import AS_PICTURE, JOINER, SYMBOL

LOST = "\ufffd"
"""What stands for a character that was lost when a text was converted."""
_ROUNDS = 3  # &amp;amp;#39; has been escaped three times
_ENTITY = re.compile(
    r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});|&(?:amp|lt|gt|quot|nbsp|#39)(?![\w;=])"
)
_HALVES = re.compile(r"&#(5[56][0-9]{3}|[xX][dD][89abAB][0-9a-fA-F]{2});&#([0-9]{5}|[xX][0-9a-fA-F]{4});")
"""Two entities that may be one character, as JavaScript and Java escape an emoji: &#55357;&#56832;."""
_APART = (
    "address|article|aside|blockquote|body|br|caption|center|dd|div|dl|dt|figcaption|figure|footer|form|h[1-6]"
    "|head|header|hr|html|img|input|li|main|nav|ol|option|p|pre|section|select|table|tbody|td|textarea|tfoot"
    "|th|thead|title|tr|ul|video|audio|iframe|object|svg|button|label"
)
_WITHIN = (
    "a|abbr|acronym|b|bdi|bdo|big|cite|code|del|dfn|em|font|i|ins|kbd|mark|nobr|q|s|samp|small|span|strike"
    "|strong|sub|sup|time|tt|u|var|wbr"
)
_WORD = re.compile(
    "a|address|article|aside|audio|b|big|body|button|caption|center|cite|code|figure|font|footer|form|head"
    "|header|i|input|label|main|mark|object|option|q|s|section|select|small|span|strike|strong|sub|table|time|title|u"
    "|video"
)
"""Names of tags that captions have in angle brackets as words or as the letters of a comparison."""
_UNSEEN = re.compile(r"<!--.*?-->|<(script|style)\b[^<>]*>.*?</\1\s*>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(
    rf"<(?P<closing>/?)(?P<name>(?P<apart>{_APART})|{_WITHIN})"
    r"(?P<rest>(?:\s+[\w:-]+\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s\"'<>]+))*+\s*/?)>",
    re.IGNORECASE,
)
"""A tag, after whose name only attributes with a value come. Anything else may be words between two signs."""
_RARE = re.compile("[^\0-\u017f\u2000-\u20cf™]")
"""What entities mean that are rare within words: no letter of Latin script, punctuation or currency."""
_HIDDEN = re.compile(
    "(?P<tags>[\U000e0000-\U000e007f]+)"
    "|(?P<joiner>[\u200c\u200d])"
    "|(?P<between>[\u180e\u200b])"
    "|(?P<picture>\ufe0f)"
    "|(?P<space>[\0-\x08\x0e-\x1b\x7f\u2800\u3164\uffa0\ufffc\ue000-\uf8ff\U000f0000-\U000ffffd])"
    "|(?P<windows>[\x80-\x84\x86-\x9f])"
    "|[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0e\ufeff\ufff9-\ufffb\ufdd0-\ufdef\ufffe\uffff\U0001d173-\U0001d17a\U000e0100-\U000e01ef"
    "\U00100000-\U0010ffff]"
)
"""Invisible characters by what to do about them. `windows` are letters of Windows in place of controls."""
_PICTURED = re.compile(f"{SYMBOL}|[©®™‼⁉ℹ0-9#*\U0001f3fb-\U0001f3ff{AS_PICTURE}]")
_JOINING = re.compile("[\u0600-\u1cff]")  # Arabic to Indic scripts, where joiners are part of the spelling
_BETWEEN = {
    "\u180e": re.compile("[\u1820-\u18aa]"),  # Mongolian, before a vowel that stands apart
    "\u200b": re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]"),  # Thai, Lao, Burmese, Khmer words
}
"""Characters that are part of the spelling between letters of these scripts."""
_MISSING = frozenset(
    [
        *("nan", "-nan", "none", "null", "nil", "n/a", "#n/a", "<na>", "nat", "undefined"),
        *("#name?", "#ref!", "#value!", "#null!", "#num!", "#div/0!", "#error!"),
    ]
)
"""What pandas, Python, JavaScript and spreadsheet programs write, in lower case."""


def says_missing(text: str) -> bool:
    """Return whether a whole text is what programs write for a missing one: nan, None, null, #N/A."""
    return len(text) < 20 and text.strip().casefold() in _MISSING


def readable(text: str) -> str:
    """Return the text as people see it: without tags of HTML, and with characters in place of its entities.

    Invisible characters go, unless they are part of an emoji or of the spelling of a word. A text that has
    none of all this is returned as it is; in any other, runs of white space become one space.
    """
    if text.isascii() and text.isprintable() and "&" not in text and "<" not in text:
        return text
    has_tags = "<" in text
    clean = _without_tags(text) if has_tags else text
    for _ in range(_ROUNDS):
        if "&" not in clean or (decoded := _ENTITY.sub(_decoded, _HALVES.sub(_joined, clean))) == clean:
            break
        clean = decoded
    if not has_tags:  # else the tags were not escaped, and what was escaped is part of the text
        clean = _without_tags(clean)
    clean = _HIDDEN.sub(_seen, clean)
    return text if clean == text else " ".join(clean.split())


def _without_tags(text: str) -> str:
    if "<" not in text:
        return text
    text = _UNSEEN.sub(" ", text)
    closed = {tag["name"].lower() for tag in _TAG.finditer(text) if tag["closing"]}

    def replaced(tag: re.Match[str]) -> str:
        name = tag["name"].lower()
        if _WORD.fullmatch(name) and name not in closed and not tag["rest"].strip():
            return tag.group()
        return " " if tag["apart"] else ""

    return _TAG.sub(replaced, text)


def _joined(halves: re.Match[str]) -> str:
    """Return the character that two halves of a surrogate pair are, or the entities if they are none."""
    high, low = (int(f"0{half}", 16) if half[0] in "xX" else int(half) for half in halves.groups())
    if not (0xD800 <= high < 0xDC00 <= low < 0xE000):
        return halves.group()
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))


def _decoded(entity: re.Match[str]) -> str:
    found = entity.group()
    if not found.endswith(";"):
        found += ";"
    elif found[1] != "#" and not _is_known(found[1:], entity.string[: entity.start()][-1:]):
        return found
    return unescape(found).replace("\xa0", " ")


def _is_known(name: str, before: str) -> bool:
    """Return whether this is an entity, and not the end of an abbreviation such as P&Pi; after a letter."""
    meant = html5.get(name, "")
    return bool(meant) and not (before.isalpha() and _RARE.match(meant))


def _seen(hidden: re.Match[str]) -> str:
    """Return what to write in place of hidden characters, which may be themselves."""
    text, found = hidden.string, hidden.group()
    before, after = text[: hidden.start()][-1:], text[hidden.end() : hidden.end() + 1]
    match hidden.lastgroup:
        case "space":
            return " "
        case "windows":
            return found.encode("latin-1").decode("cp1252", "replace").replace(LOST, "")
        case "tags":
            kept = before == "\N{WAVING BLACK FLAG}"
        case "picture":
            kept = bool(_PICTURED.match(before)) and (not before.isascii() or after == "\u20e3")
        case "joiner":
            emoji = found == JOINER and _PICTURED.match(before) and re.match(SYMBOL, after)
            # At the end of a word, only U+200D shapes a letter, as in Malayalam and Bengali.
            letter = _JOINING.match(before) and category(before)[0] in "LM"
            kept = bool(emoji) or bool(letter and (_JOINING.match(after) or found == JOINER))
        case "between":
            script = _BETWEEN[found]
            kept = bool(script.match(before) and script.match(after))
        case _:
            kept = False
    return found if kept else ""
