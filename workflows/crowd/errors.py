"""The error that researchers' actions on a platform raise."""

from __future__ import annotations


class VerbError(Exception):
    """What was asked cannot be done like this; the message says why and what to do instead."""
