"""Errors that say what cannot be done, and what to do instead."""

from __future__ import annotations


class VerbError(Exception):
    """It cannot be done like this; the message says what to do."""
