"""The manifest of an export, `about/manifest.json`, with its counts, settings and content hash."""

from __future__ import annotations

import hashlib
import json
import subprocess
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import orjson

from annotation.domain.merge import MergeCounts
from annotation.domain.model_shares import ModelShares
from annotation.domain.records import ImageRecord
from annotation.domain.types import BUILT_IN, ProjectTypes
from annotation.exporting.raw import LeftOut
from annotation.formats.datasets.jsonl import to_json

ROOT = Path(__file__).resolve().parents[2]


class ContentHash:
    """A SHA-256 hash of the images in order. It is the same for the same annotation in every format.

    Provenance (ids of judgments, boxes before merging) is left out. So the hash is also the same for the same
    judgments in another database, and after a round trip.
    """

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def add(self, record: ImageRecord) -> None:
        """Add the next image."""
        self._hash.update(orjson.dumps(to_json(record), option=orjson.OPT_APPEND_NEWLINE))

    def __str__(self) -> str:
        return f"sha256:{self._hash.hexdigest()}"


@dataclass(slots=True)
class Manifest:
    """Counts, settings, code version and content hash of an export.

    It holds no time, so that the same input gives the same bytes.
    """

    project: str
    format: str
    source: str
    batch: str
    settings: dict[str, Any]
    code_version: str
    licence: str = ""
    language: str = ""  # of the captions, as a tag such as "en"
    types: ProjectTypes = BUILT_IN  # at the time of the export
    images: int = 0
    captions: int = 0
    mentions: int = 0  # in a chain
    notvisual: int = 0  # the others
    merging: MergeCounts = field(default_factory=MergeCounts)
    left_out: LeftOut = field(default_factory=LeftOut)
    protocols: Counter[str] = field(default_factory=Counter)  # images by the protocol of their batch
    typed_by: Counter[int] = field(default_factory=Counter)  # mentions by the version of the types
    not_in_format: Counter[str] = field(default_factory=Counter)  # what the format has no place for
    written_but: Counter[str] = field(default_factory=Counter)  # what is in the files and needs care
    unresolved: Counter[str] = field(default_factory=Counter)  # mentions without a result, by reason
    models: ModelShares = field(default_factory=ModelShares)
    families: Mapping[str, str] = field(default_factory=dict)  # of the project's models, by name and version
    pictures: int | None = None  # that were written; None if none were asked for
    content_hash: str = ""

    def count(self, raw: ImageRecord, written: ImageRecord) -> None:
        """Count one image: its chains and boxes before and after merging, the rest as written."""
        self.images += 1
        self.captions += len(written.captions)
        for caption in written.captions:
            for mention in caption.mentions or ():
                if mention.chain:
                    self.mentions += 1
                else:
                    self.notvisual += 1
        self.merging.add(raw, written)
        self.models.add(raw, written)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object of manifest.json."""
        counts = {
            "images": self.images,
            "captions": self.captions,
            "mentions": self.mentions,
            "notvisual": self.notvisual,
            **asdict(self.merging),
            **({} if self.pictures is None else {"pictures": self.pictures}),
        }
        return {
            "project": self.project,
            "source": self.source,
            "batch": self.batch or None,
            "format": self.format,
            "licence": self.licence or None,
            "language": self.language or None,
            "types": self._types(),
            "settings": self.settings,
            "protocols": _sorted(self.protocols),
            **self._models(),
            "counts": counts,
            "left_out": {
                "images": _sorted(self.left_out.images),
                "pictures": _sorted(self.left_out.pictures),
                "chains": _sorted(self.left_out.chains),
                "boxes": _sorted(self.left_out.boxes),
            },
            "not_in_format": _sorted(self.not_in_format),
            "written_but": _sorted(self.written_but),
            "unresolved": _sorted(self.unresolved),
            **self._suggestions(),
            "content_hash": self.content_hash,
            "code_version": self.code_version,
        }

    def _types(self) -> dict[str, Any] | None:
        """Return the project's own types; None if it never had any. Mentions may be of earlier versions."""
        if not self.types.version:
            return None
        return {
            "version": self.types.version,
            "own": {one.key: one.label for one in self.types.own},
            "mentions_by_version": {str(number): self.typed_by[number] for number in sorted(self.typed_by)},
        }

    def _models(self) -> dict[str, Any]:
        """Return what models judged, and the families of all models that had a part, if any had."""
        judged = Counter[str]()
        for kind, counts in (
            ("boxes", self.models.boxes),
            ("chains", self.models.chains),
            ("boxes that no worker judged", self.models.unjudged),
        ):
            judged.update({f"{model}: {kind}": count for model, count in counts.items()})
        families = {model: self.families[model] for model in self.models.models if model in self.families}
        return {
            **({"models": _sorted(judged)} if judged else {}),
            **({"families": families} if families else {}),
        }

    def _suggestions(self) -> dict[str, Any]:
        """Return how the boxes came about whose workers were shown boxes of a model, if there are any."""
        found = {model: origins for model in self.models.models if (origins := self.models.origins_of(model))}
        return {"suggestions": found} if found else {}

    def write(self, path: Path) -> None:
        """Write it to `path` as indented JSON. The path's folder may be missing."""
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(self.to_json(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return {reason: count for reason, count in sorted(counts.items()) if count}


def code_version() -> str:
    """Return git's name for this checkout, or without git the project's version."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        version: str = tomllib.load(file)["project"]["version"]
    if not (ROOT / ".git").exists():
        return version
    try:
        described = subprocess.run(
            ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--tags"],
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):  # no git, or another user's checkout
        return version
    return f"{version}+{described.stdout.strip()}"
