"""Folders, conversations and other JSON of captions as people have them, and what the import has to read."""

from __future__ import annotations

import json
from typing import Any

from tests.annotation.formats.caption_files import BOTH, GREEN, MISSING, RED, A, Trial


def _json(
    kind: str, content: Any, images: dict[str, list[str]], *problems: str, lines: bool = False, **more: Any
) -> Trial:
    text = "\n".join(map(json.dumps, content)) if lines else json.dumps(content)
    return Trial(kind, {"captions.json": text}, images, problems, **more)


def _talk(*turns: tuple[str, str]) -> list[dict[str, str]]:
    return [{"from": who, "value": said} for who, said in turns]


_ASKED = ("human", "<image>\nDescribe it.")
_ODVG = {
    "filename": "a.jpg",
    "height": 30,
    "width": 40,
    "grounding": {
        "caption": RED,
        "regions": [{"bbox": [0, 0, 9, 9], "phrase": "A red wall", "tokens_positive": [[0, 10]]}],
    },
}
_GROUNDING = {
    "info": {},
    "images": [
        {
            "file_name": "a.jpg",
            "height": 30,
            "width": 40,
            "id": 1,
            "caption": RED,
            "dataset_name": "flickr",
            "tokens_negative": [[0, 11]],
            "sentence_id": 0,
            "original_img_id": "a",
            "tokens_positive_eval": [[[0, 10]]],
        }
    ],
    "annotations": [
        {
            "id": 1,
            "image_id": 1,
            "bbox": [0, 0, 9, 9],
            "category_id": 1,
            "iscrowd": 0,
            "area": 81,
            "tokens_positive": [[0, 10]],
        }
    ],
    "categories": [],
}
_EMPTY = {**_GROUNDING, "images": [], "annotations": []}

TRIALS = [
    # Texts beside photographs
    Trial(
        "a.jpg and a.txt",
        {"a.jpg": b"", "a.txt": RED, "b.JPG": b"", "b.txt": GREEN},
        {"a.jpg": [RED], "b.JPG": [GREEN]},
    ),
    Trial(
        "a caption on each line",
        {"a.jpg": b"", "a.txt": f"{RED}\n\n{GREEN}\n", "x/readme.md": "Hello."},
        {"a.jpg": [RED, GREEN]},
    ),
    Trial(
        "photographs without a text", {"a.jpg": b"", "a.txt": RED, "b.jpg": b""}, A, ("there is no b.txt",)
    ),
    Trial(
        "a text without a photograph",
        {"a.jpg": b"", "a.txt": RED, "b.txt": GREEN},
        A,
        ("no photograph of this name",),
    ),
    Trial("an empty text", {"a.jpg": b"", "a.txt": RED, "b.jpg": b"", "b.txt": "\n"}, A, ("it is empty",)),
    Trial("nan in a text", {"a.jpg": b"", "a.txt": RED, "b.jpg": b"", "b.txt": "nan"}, A, (MISSING,)),
    Trial(
        "a text of two photographs",
        {"a.jpg": b"", "a.txt": RED, "b.jpg": b"", "b.png": b"", "b.txt": GREEN},
        A,
        ("b.jpg and b.png could both be its photograph",),
    ),
    Trial(
        "labels of YOLO beside photographs",
        {"a.jpg": b"", "a.txt": "0 0.5 0.5 0.2 0.3\n", "b.jpg": b"", "b.txt": "1 0.5 0.5 0.2 0.3\n"},
        refused="boxes as YOLO writes them",
    ),
    Trial(
        "labels of YOLO and a file of captions",
        {"a.jpg": b"", "a.txt": "0 0.5 0.5 0.2 0.3\n", "captions.csv": f"image,caption\na.jpg,{RED}\n"},
        A,
    ),
    Trial(
        "texts and a file of captions",
        {"a.jpg": b"", "a.txt": RED, "captions.csv": f"image,caption\na.jpg,{GREEN}\n"},
        refused="name the format, sidecar-texts or spreadsheet",
    ),
    Trial(
        "texts and a file of captions, named",
        {"a.jpg": b"", "a.txt": RED, "captions.csv": f"image,caption\na.jpg,{GREEN}\n"},
        {"a.jpg": [GREEN]},
        format="spreadsheet",
    ),
    Trial(
        "texts and a file of captions, texts named",
        {"a.jpg": b"", "a.txt": RED, "captions.csv": f"image,caption\na.jpg,{GREEN}\n"},
        A,
        format="sidecar-texts",
    ),
    Trial(
        "folders of img2dataset",
        {
            "00000/000000000.jpg": b"",
            "00000/000000000.txt": RED,
            "00000/000000000.json": '{"caption": "A red wall.", "key": "000000000", "status": "success"}',
            "00000_stats.json": '{"count": 1}',
            "00001/000010000.jpg": b"",
            "00001/000010000.txt": GREEN,
            "00001/000010000.json": "{}",
            "00001_stats.json": "{}",
        },
        {"000000000.jpg": [RED], "000010000.jpg": [GREEN]},
    ),
    Trial(
        "texts in two folders, one name",
        {"x/a.jpg": b"", "x/a.txt": RED, "y/a.jpg": b"", "y/a.txt": GREEN},
        A,
        ("a.jpg is in two folders",),
    ),
    # Conversations
    _json("LLaVA", [{"id": "1", "image": "x/a.jpg", "conversations": _talk(_ASKED, ("gpt", RED))}], A),
    _json(
        "ShareGPT with images",
        [{"images": ["a.jpg"], "conversations": _talk(_ASKED, ("gpt", f"<image>\n{RED}"))}],
        A,
    ),
    _json(
        "messages in lines",
        [
            {
                "images": ["a.jpg"],
                "messages": [
                    {"role": "user", "content": "<image>Describe it."},
                    {"role": "assistant", "content": RED},
                ],
            }
        ],
        A,
        lines=True,
    ),
    _json(
        "messages in parts",
        [
            {
                "image": "a.jpg",
                "messages": [
                    {
                        "role": "user",
                        "content": [{"type": "image"}, {"type": "text", "text": "Describe it."}],
                    },
                    {"role": "assistant", "content": [{"type": "text", "text": RED}]},
                ],
            }
        ],
        A,
    ),
    _json(
        "two answers",
        [
            {"image": "a.jpg", "conversations": _talk(_ASKED, ("gpt", RED), _ASKED, ("gpt", "Yes."))},
            {"image": "b.jpg", "caption": GREEN},
        ],
        {"b.jpg": [GREEN]},
        "has 2 answers of a model",
    ),
    _json(
        "no answer",
        [{"image": "a.jpg", "conversations": _talk(_ASKED)}, {"image": "b.jpg", "caption": GREEN}],
        {"b.jpg": [GREEN]},
        "has no answer of a model",
    ),
    _json(
        "an answer with boxes",
        [
            {"image": "a.jpg", "conversations": _talk(_ASKED, ("gpt", "<ref>A wall</ref><box>[1, 2]</box>"))},
            {"image": "b.jpg", "caption": GREEN},
        ],
        {"b.jpg": [GREEN]},
        "boxes or code",
    ),
    _json(
        "two images",
        [
            {"images": ["a.jpg", "c.jpg"], "conversations": _talk(_ASKED, ("gpt", RED))},
            {"image": "b.jpg", "caption": GREEN},
        ],
        {"b.jpg": [GREEN]},
        "it has 2 images",
    ),
    _json(
        "no image", [{"id": 1, "conversations": _talk(_ASKED, ("gpt", RED))}], {}, refused="no name of a file"
    ),
    # Objects of names
    _json("{name: caption}", {"a.jpg": RED, "b.jpg": GREEN}, BOTH),
    _json("{name: captions}", {"x/a.jpg": [RED, GREEN]}, {"a.jpg": [RED, GREEN]}),
    Trial(
        "{name: captions} over several lines",
        {"c.json": json.dumps({"a.jpg": [RED], "b.jpg": [{"raw": GREEN}]}, indent=1)},
        BOTH,
    ),
    _json("{name: captions} with a number", {"a.jpg": RED, "b.jpg": 3}, A, "a caption is not a text"),
    _json("{id: captions}", {"1000": [RED]}, {}, refused="is among '1000'"),
    # Our own formats for training
    _json("odvg", [_ODVG], A, lines=True),
    Trial(
        "odvg by split",
        {
            "odvg_train.jsonl": json.dumps(_ODVG),
            "odvg_val.jsonl": json.dumps(
                {**_ODVG, "filename": "b.jpg", "grounding": {"caption": GREEN, "regions": []}}
            ),
            "odvg_test.jsonl": "",
            "manifest.json": "{}",
        },
        BOTH,
    ),
    _json(
        "odvg of detections",
        [_ODVG, {"filename": "b.jpg", "detection": {"instances": []}}],
        A,
        "grounding",
        lines=True,
    ),
    _json("coco-grounding", _GROUNDING, A),
    Trial(
        "coco-grounding of an export",
        {
            **{
                f"final_flickr_{kind}GT_train.json": json.dumps(_GROUNDING) for kind in ("separate", "merged")
            },
            **{f"final_flickr_{kind}GT_val.json": json.dumps(_EMPTY) for kind in ("separate", "merged")},
            "manifest.json": "{}",
        },
        A,
    ),
]
"""No two have the same kind."""
