"""Kinds of files that people have, and what the reader makes of each. `test_trials.py` tries all of them."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evaluation.dataset import Caption, Chain, Dataset, Image, Mention, MentionKey
from evaluation.predictions.formats import FORMS
from evaluation.predictions.likely_form import REACHING, RESIZED, look_of
from tests.evaluation.predictions.models_writing import WRITINGS, Box

TOKENS = ("A", "man", "with", "two", "dogs", ".")
SPANS = {"A man": (0, 2), "two dogs": (3, 5)}
SIZES = ((500, 375), (375, 500), (640, 480), (333, 500), (1024, 768))
COUNT = 24
"""Images of the data set, each with a box for each of two phrases."""
Row = tuple[str, int, int, str, Box]
"""Image, width, height, phrase and its box."""


def trial_set(count: int = COUNT, seed: int = 3) -> tuple[Dataset, list[Row]]:
    """Return a data set and its true boxes, which are spread over the images, small and large."""
    rng = np.random.default_rng(seed)
    images, rows = [], []
    for at in range(count):
        name, (width, height) = f"{at:02}.jpg", SIZES[at % len(SIZES)]
        mentions, chains = [], {}
        for phrase, (start, end) in SPANS.items():
            extent = rng.uniform(0.15, 0.7, 2)
            corner = rng.uniform(0, 1, 2) * (1 - extent)
            left, top = (corner * (width, height)).round().tolist()
            right, bottom = ((corner + extent) * (width, height)).round().tolist()
            chain = str(start + 1)
            mentions.append(Mention(MentionKey(name, 0, start, end), TOKENS[start:end], ("other",), chain))
            chains[chain] = Chain(chain, ("other",), np.array([[left, top, right, bottom]]))
            rows.append((name, width, height, phrase, (left, top, right, bottom)))
        images.append(Image(name, width, height, "", (Caption(0, TOKENS, tuple(mentions)),), chains))
    return Dataset("trials", tuple(images)), rows


def scaled(kind: str) -> Callable[[Row], list[float]]:
    """Return what writes a box in one of FORMS, or in pixels of a resized image."""

    def write(row: Row) -> list[float]:
        _, width, height, _, (left, top, right, bottom) = row
        across, down = 1.0, 1.0
        if kind.startswith("resized"):
            across, down = {
                "resized-448": (448 / width, 448 / height),
                "resized-longer": (1333 / max(width, height),) * 2,
                "resized-half": (0.5, 0.5),
            }[kind]
            return [left * across, top * down, right * across, bottom * down]
        unit, _, order = kind.partition("-")
        if unit != "pixels":
            per = 1 if unit == "fractions" else 1000
            left, right = left / width * per, right / width * per
            top, bottom = top / height * per, bottom / height * per
        if unit == "thousandths":
            left, top, right, bottom = map(round, (left, top, right, bottom))
        return {
            "": [left, top, right, bottom],
            "xywh": [left, top, right - left, bottom - top],
            "yxyx": [top, left, bottom, right],
            "cxcywh": [(left + right) / 2, (top + bottom) / 2, right - left, bottom - top],
        }[order]

    return write


def spans(rows: list[Row], write: Callable[[Row], list[float]], **more: object) -> bytes:
    """Return JSON lines that name mentions by their tokens."""
    return _lines(
        {
            "image": row[0],
            "caption": 0,
            "start": SPANS[row[3]][0],
            "end": SPANS[row[3]][1],
            "boxes": [write(row)],
            **more,
        }
        for row in rows
    )


def phrases(rows: list[Row], write: Callable[[Row], list[float]]) -> bytes:
    """Return JSON lines that name mentions by their words, in other letters."""
    return _lines(
        {"image": row[0], "caption": 0, "phrase": row[3].upper(), "boxes": [write(row)]} for row in rows
    )


def answers(rows: list[Row], name: str, *, by: str = "label", around: str = "{}") -> bytes:
    """Return JSON lines of answers of a model: for both phrases of an image, or for each phrase."""
    found = []
    groups = (
        [rows[at : at + 2] for at in range(0, len(rows), 2)] if by == "label" else [[row] for row in rows]
    )
    for group in groups:
        image, width, height = group[0][:3]
        text = WRITINGS[name].write([(row[3], row[4]) for row in group], width, height)
        more = {"phrase": group[0][3]} if by == "phrase" else {}
        found.append({"image": image, "caption": 0, "answer": around.replace("{}", text), **more})
    return _lines(found)


def coco(rows: list[Row], kind: str = "pixels-xywh") -> bytes:
    """Return COCO results."""
    write = scaled(kind)
    return json.dumps(
        [
            {"image_id": row[0], "phrase_id": at + 1, "bbox": write(row), "score": 0.5}
            for at, row in enumerate(rows)
        ]
    ).encode()


def sentences(rows: list[Row], kind: str = "pixels") -> bytes:
    """Return a list of sentences, as the evaluator of MDETR takes it."""
    write = scaled(kind)
    pairs = [rows[at : at + 2] for at in range(0, len(rows), 2)]
    return json.dumps(
        [
            {"image_id": pair[0][0][:-4], "sentence_id": 0, "boxes": [[write(row)] for row in pair]}
            for pair in pairs
        ]
    ).encode()


def compact(rows: list[Row], kind: str = "pixels") -> bytes:
    """Return the arrays of `.npz`."""
    file, write = io.BytesIO(), scaled(kind)
    np.savez(
        file,
        images=np.array(sorted({row[0] for row in rows})),
        mentions=np.array([(at // 2, 0, *SPANS[row[3]]) for at, row in enumerate(rows)]),
        offsets=np.arange(len(rows) + 1),
        boxes=np.array([write(row) for row in rows]),
    )
    return file.getvalue()


@dataclass(frozen=True)
class Trial:
    """A kind of file. `found` is a finding or a part of the error; "" means that every box is read back."""

    content: Callable[[list[Row]], bytes]
    option: str = ""
    found: str = ""
    is_error: bool = False
    suffix: str = ".jsonl"
    rounding: float = 1e-4
    rows: int = 2 * COUNT


def _lines(entries: object) -> bytes:
    assert not isinstance(entries, bytes)
    return "".join(json.dumps(entry) + "\n" for entry in entries).encode()  # type: ignore[attr-defined]


def _jsonl(kind: str, **more: object) -> Callable[[list[Row]], bytes]:
    return lambda rows: spans(rows, scaled(kind), **more)


def _far(row: Row) -> list[float]:
    return [row[1] * 3.0, row[2] * 3.0, row[1] * 4.0, row[2] * 4.0]


def _answers(name: str, by: str = "label", around: str = "{}") -> Callable[[list[Row]], bytes]:
    return lambda rows: answers(rows, name, by=by, around=around)


TRIALS: Mapping[str, Trial] = {
    **{f"JSON lines, {name}, said": Trial(_jsonl(name), name, rounding=0.001) for name in FORMS},
    **{
        f"JSON lines, {name}, not said": Trial(
            _jsonl(name), found=look_of(FORMS[name]) if name != "pixels" else ""
        )
        for name in FORMS
    },
    **{
        f"JSON lines, pixels, said to be {name}": Trial(_jsonl("pixels"), name, look_of(FORMS["pixels"]))
        for name in ("fractions", "thousandths", "pixels-xywh", "pixels-yxyx", "fractions-cxcywh")
    },
    "JSON lines, pixels of 448 x 448": Trial(_jsonl("resized-448"), found=RESIZED),
    "JSON lines, pixels, longer side 1333": Trial(_jsonl("resized-longer"), found=RESIZED),
    "JSON lines, pixels of half the size": Trial(_jsonl("resized-half"), found=RESIZED),
    "JSON lines, pixels of 448 x 448, with width and height": Trial(
        _jsonl("resized-448", width=448, height=448)
    ),
    "JSON lines, boxes outside of the images": Trial(lambda rows: spans(rows, _far), found=REACHING),
    "JSON lines, fractions, packed": Trial(
        lambda rows: gzip.compress(spans(rows, scaled("fractions"))), "fractions", suffix=".jsonl.gz"
    ),
    "phrases in other letters": Trial(lambda rows: phrases(rows, scaled("pixels"))),
    "phrases, fractions": Trial(
        lambda rows: phrases(rows, scaled("fractions")), found=look_of(FORMS["fractions"])
    ),
    "COCO results": Trial(coco, suffix=".json"),
    "COCO results, left, top, right, bottom": Trial(
        lambda rows: coco(rows, "pixels"), found=look_of(FORMS["pixels"]), suffix=".json"
    ),
    "COCO results, left, top, right, bottom, said": Trial(
        lambda rows: coco(rows, "pixels"), "pixels", suffix=".json"
    ),
    "COCO results, fractions": Trial(
        lambda rows: coco(rows, "fractions-xywh"), found=look_of(FORMS["fractions-xywh"]), suffix=".json"
    ),
    "sentences": Trial(sentences, suffix=".json"),
    "sentences, fractions": Trial(
        lambda rows: sentences(rows, "fractions"), found=look_of(FORMS["fractions"]), suffix=".json"
    ),
    "sentences, thousandths, said": Trial(
        lambda rows: sentences(rows, "thousandths"), "thousandths", suffix=".json", rounding=0.001
    ),
    ".npz": Trial(compact, suffix=".npz"),
    ".npz, fractions": Trial(
        lambda rows: compact(rows, "fractions"), found=look_of(FORMS["fractions"]), suffix=".npz"
    ),
    ".npz, fractions, said": Trial(lambda rows: compact(rows, "fractions"), "fractions", suffix=".npz"),
    "one line, fractions": Trial(_jsonl("fractions"), found=look_of(FORMS["fractions"]), rows=1),
    "one line, thousandths": Trial(_jsonl("thousandths"), found=look_of(FORMS["thousandths"]), rows=1),
    "one line, left, top, width, height": Trial(
        _jsonl("pixels-xywh"), found=look_of(FORMS["pixels-xywh"]), rows=1
    ),
    "one line, pixels": Trial(_jsonl("pixels"), rows=1),
    **{
        f"answers of {name}, a label a box": Trial(_answers(name), name, rounding=writing.rounding)
        for name, writing in WRITINGS.items()
    },
    **{
        f"answers of {name}, a phrase a line": Trial(
            _answers(name, "phrase"), name, rounding=writing.rounding
        )
        for name, writing in WRITINGS.items()
    },
    **{
        f"answers of {name}, not said": Trial(
            _answers(name), found=f"looks like {name.replace('qwen3', 'qwen2.5')}", is_error=True
        )
        for name in WRITINGS
    },
    **{
        f"answers of {name}, in text with brackets": Trial(
            _answers(name, around="Let {me} see [1]: {}\nDone }"),
            name,
            rounding=WRITINGS[name].rounding,
        )
        for name in ("qwen2.5-vl", "qwen3-vl", "gemini", "paligemma", "kosmos-2")
    },
    "answers of qwen3-vl, read as qwen2.5-vl": Trial(
        _answers("qwen3-vl"), "qwen2.5-vl", look_of(FORMS["thousandths"])
    ),
    "answers of gemini, read as florence-2": Trial(
        _answers("gemini"), "florence-2", "answer that looks like another format"
    ),
    "answers of qwen3-vl, said to be thousandths": Trial(_answers("qwen3-vl"), "thousandths", rounding=0.001),
    "boxes, said to be answers": Trial(
        _jsonl("pixels"), "gemini", "has boxes, and --predictions-format gemini is for answers", is_error=True
    ),
    "answers without a box": Trial(
        lambda rows: _lines({"image": row[0], "answer": "I see none."} for row in rows),
        "gemini",
        "answer in which no box was found",
    ),
    "points of molmo": Trial(
        lambda rows: _lines(
            {"image": row[0], "phrase": row[3], "answer": '<point x="1.5" y="2" alt="a">a</point>'}
            for row in rows
        ),
        "molmo",
        "point of an answer",
    ),
}


def write_trial(folder: Path, trial: Trial, rows: list[Row]) -> Path:
    """Write the file of a trial."""
    path = folder / f"p{trial.suffix}"
    path.write_bytes(trial.content(rows[: trial.rows]))
    return path
