"""The names under which workers see images: an alias in place of the id, and a link in place of the file.

Both are encrypted and authenticated (AES-SIV, RFC 5297) with keys derived from `SECRET_KEY`, so that only
this installation makes and reads them. They are different for every worker: two workers who compare them do
not see which images they share. The same worker gets the same alias of an image for ever, and the same link
for half a day, so that browsers keep the photograph. To read them takes no query.
"""

from __future__ import annotations

import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from django.conf import settings
from django.utils.crypto import salted_hmac

HALF_DAY = 12 * 3600
"""Seconds for which a worker's link to a photograph stays the same. It works for 24 to 36 hours."""

_SALT = "groundcrew.image_names"
_ALIAS, _LINK = b"alias", b"link"  # so that neither can be taken for the other
_IDS = struct.Struct(">QQ")  # of an alias: worker, image; of a link, before the file: worker, end
_PIECE = 64
"""What a link holds is filled up to a multiple of this, so that its length does not tell the file's name."""
_LONGEST = 4096


@dataclass(frozen=True, slots=True)
class LinkedPhotograph:
    """What a link leads to: a file of the storage, for so many seconds more."""

    file: str
    seconds: int


def alias_of(image_id: int, *, worker_id: int) -> str:
    """Return the name of an image that this worker sees. No other worker sees the same."""
    return _sealed(_ALIAS, _IDS.pack(worker_id, image_id))


def image_of(alias: str) -> int:
    """Return the id of the image that a worker sees under this alias. Raise ValueError if it is none."""
    said = _opened(_ALIAS, alias)
    if said is None:
        raise ValueError(f"{alias[:80]!r} is not an alias of an image")
    _, image_id = _IDS.unpack(said)
    return int(image_id)


def link_to(file: str, *, worker_id: int, now: datetime) -> str:
    """Return a link to a photograph for this worker, without the address before it."""
    end = (int(now.timestamp()) // HALF_DAY + 3) * HALF_DAY
    said = _IDS.pack(worker_id, end) + file.encode()
    return _sealed(_LINK, said.ljust(-(-len(said) // _PIECE) * _PIECE, b"\0"))


def read_link(link: str, *, now: datetime) -> LinkedPhotograph | None:
    """Return what a link leads to, or None if the link is not ours, was changed, or has expired."""
    said = _opened(_LINK, link)
    if said is None:
        return None
    _, end = _IDS.unpack_from(said)
    left = end - int(now.timestamp())
    return LinkedPhotograph(said[_IDS.size :].rstrip(b"\0").decode(), left) if left > 0 else None


def _sealed(purpose: bytes, said: bytes) -> str:
    return _text(_cipher(settings.SECRET_KEY).encrypt(said, [purpose]))


def _opened(purpose: bytes, text: str) -> bytes | None:
    """Return what was sealed for this purpose, with our key or one that it replaced, or None."""
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4)) if len(text) <= _LONGEST else b""
    except ValueError:
        return None
    if _text(raw) != text:  # Python passes over characters that do not belong there
        return None
    for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        try:
            return _cipher(secret).decrypt(raw, [purpose])
        except InvalidTag:
            continue
    return None


def _text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


@lru_cache(maxsize=8)
def _cipher(secret: str) -> AESSIV:
    return AESSIV(salted_hmac(_SALT, "", secret=secret, algorithm="sha256").digest())
