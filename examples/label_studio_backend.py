"""Judge boxes with a model behind the protocol of Label Studio's ML backends (POST /predict).

Set LABEL_STUDIO_ML_URL (http://127.0.0.1:9090 unless you do). Each new box becomes a task, with the
photograph, the phrase and the box in percent, as in Label Studio. The backend's first `choices` are read: a
word of `good`, `loose`, `cut`, `wrong`, `double`. Its answer about one more task, without a box, says whether
anything is missing: `missing` or `complete`.
"""

from __future__ import annotations

import base64
import json
import os
from typing import Any

from examples.model_client import request
from examples.vision_model import KINDS

CONFIG = """<View><Image name="image" value="$image"/><Choices name="judgment" toName="image">
<Choice value="good"/><Choice value="loose"/><Choice value="cut"/><Choice value="wrong"/>
<Choice value="double"/><Choice value="complete"/><Choice value="missing"/></Choices></View>"""


def judge(question: dict[str, Any], picture: bytes) -> dict[str, Any] | None:
    """Ask the backend, and return its answer, or None if it has none for a box."""
    if not picture:
        return None
    url = os.environ.get("LABEL_STUDIO_ML_URL", "http://127.0.0.1:9090").rstrip("/")
    asked = {"tasks": tasks(question, picture), "label_config": CONFIG}
    token = os.environ.get("LABEL_STUDIO_ML_TOKEN", "")
    results = json.loads(request(f"{url}/predict", token, asked)).get("results", [])
    said = [choice(result) for result in results]
    if len(said) != len(asked["tasks"]) or said[-1] not in ("complete", "missing"):
        return None
    boxes = said[:-1]
    return {"boxes": boxes, "missing": said[-1] == "missing"} if all(one in KINDS for one in boxes) else None


def tasks(question: dict[str, Any], picture: bytes) -> list[dict[str, Any]]:
    """Return one task for each new box, and one without a box."""
    caption = question["captions"][0]["segments"]
    data: dict[str, Any] = {
        "image": f"data:image/jpeg;base64,{base64.b64encode(picture).decode()}",
        "caption": "".join(piece["text"] for piece in caption),
        "phrase": "".join(piece["text"] for piece in caption if piece["mention"]),
    }
    width, height = question["image"]["width"], question["image"]["height"]

    def region(box: list[int]) -> dict[str, float]:
        left, top, right, bottom = box
        return {
            "x": 100 * left / width,
            "y": 100 * top / height,
            "width": 100 * (right - left) / width,
            "height": 100 * (bottom - top) / height,
        }

    data["accepted"] = [region(box) for box in question["boxes"]]
    new = [
        {"id": at, "data": {**data, "box": region(box)}} for at, box in enumerate(question["new_boxes"], 1)
    ]
    every = [region(box) for box in question["new_boxes"]]
    return [*new, {"id": len(new) + 1, "data": {**data, "boxes": every}}]


def choice(result: dict[str, Any]) -> str:
    """Return the first choice of a prediction, or "" if it has none."""
    for region in result.get("result", []):
        chosen = region.get("value", {}).get("choices", [])
        if chosen:
            return str(chosen[0])
    return ""
