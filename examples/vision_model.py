"""Judge boxes with a vision model that a server on your machine offers by the protocol of OpenAI.

vLLM, llama.cpp, Ollama and LM Studio are such servers. Set VISION_MODEL_URL (http://127.0.0.1:8000/v1 unless
you do) and VISION_MODEL to the model's name. Boxes are told in pixels of the photograph; if your model was
trained on thousandths, set VISION_MODEL_COORDINATES=thousandths.
"""

from __future__ import annotations

import base64
import json
import os
from typing import Any

from examples.model_client import request

KINDS = ("good", "loose", "cut", "wrong", "double")
PROMPT = """The phrase "{phrase}" is marked in this caption of the photograph: {caption}
People have drawn boxes for the things that the phrase names, as [left, top, right, bottom] in {unit}.
Boxes that are known to be right: {accepted}
New boxes, to be judged: {new}
For each new box say "good" if it is tight around one whole thing that the phrase names and that no other box
is around; "loose" if it holds more; "cut" if a part of the thing is outside; "wrong" if it is around
something else; "double" if another box is around the same thing. Then say whether a thing that the phrase
names has no box at all. Reply with JSON alone:
{{"boxes": [one word for each new box], "missing": true or false}}"""


def judge(question: dict[str, Any], picture: bytes) -> dict[str, Any] | None:
    """Ask the model, and return its answer, or None if its reply is none."""
    if not picture:
        return None
    url = os.environ.get("VISION_MODEL_URL", "http://127.0.0.1:8000/v1").rstrip("/")
    encoded = base64.b64encode(picture).decode()
    content = [
        {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{encoded}"}},
        {"type": "text", "text": prompt(question)},
    ]
    asked = {
        "model": os.environ.get("VISION_MODEL", "default"),
        "messages": [{"role": "user", "content": content}],
        "temperature": 0,
    }
    reply = json.loads(request(f"{url}/chat/completions", os.environ.get("VISION_MODEL_KEY", ""), asked))
    return parse(str(reply["choices"][0]["message"]["content"]), len(question["new_boxes"]))


def prompt(question: dict[str, Any]) -> str:
    """Return the question in words."""
    caption = question["captions"][0]["segments"]
    thousandths = os.environ.get("VISION_MODEL_COORDINATES") == "thousandths"
    size = [question["image"]["width"], question["image"]["height"]] * 2

    def said(boxes: list[list[int]]) -> str:
        if not thousandths:
            return json.dumps(boxes)
        return json.dumps(
            [[round(1000 * edge / side) for edge, side in zip(box, size, strict=True)] for box in boxes]
        )

    return PROMPT.format(
        phrase="".join(piece["text"] for piece in caption if piece["mention"]),
        caption=json.dumps("".join(piece["text"] for piece in caption)),
        unit="thousandths of its width and height" if thousandths else "pixels",
        accepted=said(question["boxes"]),
        new=said(question["new_boxes"]),
    )


def parse(text: str, boxes: int) -> dict[str, Any] | None:
    """Return the answer in a model's reply, or None if there is none that fits."""
    try:
        found = json.loads(text[text.index("{") : text.rindex("}") + 1])
    except ValueError:
        return None
    said, missing = found.get("boxes"), found.get("missing")
    fits = isinstance(said, list) and len(said) == boxes and all(one in KINDS for one in said)
    return {"boxes": said, "missing": missing} if fits and isinstance(missing, bool) else None
