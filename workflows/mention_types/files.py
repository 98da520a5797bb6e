"""Types of a project's own as a TOML file, which `manage.py types` reads and writes."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path

from annotation.domain.own_types import TypesError, parse_types
from annotation.domain.types import OwnType

MAX_BYTES = 2_000_000
"""Of a file: more than all types may have."""


def read_types(path: Path) -> tuple[OwnType, ...]:
    """Return the types of a file. Raise TypesError, which names the file, and the field or line in it."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise TypesError("", f"has more than {MAX_BYTES:,} bytes")
        return parse_types(tomllib.loads(content.decode("utf-8")))
    except OSError as error:
        raise TypesError("", f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise TypesError("", f"{path}: is not UTF-8: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise TypesError("", f"{path}: is no TOML: {error}") from error
    except RecursionError as error:
        raise TypesError("", f"{path}: is nested too deeply") from error
    except TypesError as error:
        raise TypesError("", f"{path}: {error}") from error


def write_types(types: Sequence[OwnType]) -> str:
    """Return the file of these types, which `read_types` reads."""
    parts = []
    for one in types:
        # Texts of JSON are texts of TOML.
        words = "".join(f"  {json.dumps(word, ensure_ascii=False)},\n" for word in one.words)
        label = json.dumps(one.label, ensure_ascii=False)
        parts.append(f"[{one.key}]\nlabel = {label}\nwords = [\n{words}]\n")
    return "\n".join(parts)
