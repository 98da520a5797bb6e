"""Reads photographs as arrays."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from evaluation.errors import InputError
from evaluation.report.pictures import MAX_PIXELS, find_image

Pixels = NDArray[np.uint8]
"""Of shape (height, width, 3): blue, green, red, as OpenCV has them."""


def read_photograph(folder: Path, name: str) -> Pixels:
    """Return the pixels of an image of a data set, turned upright as its EXIF field says.

    Raise InputError if the folder has no such image, or one that cannot be read.
    """
    path = find_image(folder, name)
    if path is None:
        raise InputError(f"{folder}: there is no image {name}")
    try:
        content = np.frombuffer(path.read_bytes(), dtype=np.uint8)
        pixels = cv2.imdecode(content, cv2.IMREAD_COLOR) if len(content) else None
    except (OSError, cv2.error) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error
    if pixels is None:
        raise InputError(f"{path}: is no image that can be read")
    if pixels.shape[0] * pixels.shape[1] > MAX_PIXELS:
        raise InputError(f"{path}: has more than {MAX_PIXELS:,} pixels")
    return np.asarray(pixels, dtype=np.uint8)
