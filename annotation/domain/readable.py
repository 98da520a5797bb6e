"""Frees the text of a caption from what programs left in it: HTML, invisible characters, missing values."""

from __future__ import annotations

import re
from html import unescape
from html.entities import html5

from annotation.domain.emoji import AS_PICTURE, JOINER, SYMBOL

LOST = "\ufffd"
"""What stands for a character that was lost when a text was converted."""
_ROUNDS = 3  # &amp;amp;#39; has been escaped three times
_ENTITY = re.compile(
    r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});|&(?:amp|lt|gt|quot|nbsp|#39)(?![\w;])"
)
_APART = (
    "address|article|aside|blockquote|body|br|caption|center|dd|div|dl|dt|figcaption|figure|footer|form|h[1-6]"
    "|head|header|hr|html|img|input|li|main|nav|ol|option|p|pre|section|select|table|tbody|td|textarea|tfoot"
    "|th|thead|title|tr|ul|video|audio|iframe|object|svg|button|label"
)
_WITHIN = (
    "a|abbr|acronym|b|bdi|bdo|big|cite|code|del|dfn|em|font|i|ins|kbd|mark|nobr|q|s|samp|small|span|strike"
    "|strong|sub|sup|time|tt|u|var|wbr"
)
_UNSEEN = re.compile(r"<!--.*?-->|<(script|style)\b[^<>]*>.*?</\1\s*>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(rf"</?(?:(?P<apart>{_APART})|{_WITHIN})(?:\s[^<>]*)?/?>", re.IGNORECASE)
_HIDDEN = re.compile(
    "(?P<tags>[\U000e0000-\U000e007f]+)"
    "|(?P<joiner>[\u200c\u200d])"
    "|(?P<picture>\ufe0f)"
    "|(?P<space>[\0-\x08\x0e-\x1b\x7f\u2800\u3164\uffa0\ufffc\ue000-\uf8ff\U000f0000-\U000ffffd])"
    "|(?P<windows>[\x80-\x84\x86-\x9f])"
    "|[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0e\ufeff\ufff9-\ufffb\ufdd0-\ufdef\ufffe\uffff\U0001d173-\U0001d17a\U000e0100-\U000e01ef"
    "\U00100000-\U0010ffff]"
)
"""Invisible characters by what to do about them. `windows` are letters of Windows in place of controls."""
_PICTURED = re.compile(f"{SYMBOL}|[©®™‼⁉ℹ0-9#*\U0001f3fb-\U0001f3ff{AS_PICTURE}]")
_JOINING = ("\u0600", "\u1cff")  # Arabic to Indic scripts, where joiners are part of the spelling
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
    clean = text
    for _ in range(_ROUNDS):
        if "&" not in clean or (decoded := _ENTITY.sub(_decoded, clean)) == clean:
            break
        clean = decoded
    if "<" in clean:
        clean = _TAG.sub(lambda tag: " " if tag["apart"] else "", _UNSEEN.sub(" ", clean))
    clean = _HIDDEN.sub(_seen, clean)
    return text if clean == text else " ".join(clean.split())


def _decoded(entity: re.Match[str]) -> str:
    found = entity.group()
    known = found[1] == "#" or not found.endswith(";") or found[1:] in html5
    return unescape(found if found.endswith(";") else f"{found};").replace("\xa0", " ") if known else found


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
            first, last = _JOINING
            kept = bool(emoji) or (first <= before <= last and first <= after <= last)
        case _:
            kept = False
    return found if kept else ""
