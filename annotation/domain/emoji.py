"""What counts as an emoji, for tokens and for the cleaning of captions."""

SYMBOL = (
    "[\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299"
    "\U0001f000-\U0001faff]"
)
"""A pattern of one character: a pictograph, arrow or other symbol."""
JOINER = "\u200d"
"""Joins emoji into one, as a woman and a girl into a family."""
AS_PICTURE = "\ufe0f"
"""Follows a character that is to be shown as an emoji."""
TAGS = "[\U000e0020-\U000e007f]"
"""A pattern of the invisible letters after a black flag, which say of which region it is."""
_ONE = f"(?:{SYMBOL}|[©®™‼⁉ℹ]{AS_PICTURE}){AS_PICTURE}?[\U0001f3fb-\U0001f3ff]?{TAGS}*"
EMOJI = f"(?:[\U0001f1e6-\U0001f1ff]{{2}}|[0-9#*]{AS_PICTURE}?\u20e3|{_ONE}(?:{JOINER}{_ONE})*)"
"""A pattern of a whole emoji: also a flag of two letters, a key, or several that are joined."""
