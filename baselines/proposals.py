"""Proposals: boxes of an image that may hold something, whatever the phrases are."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from baselines.photographs import Pixels
from evaluation.boxes import areas, suppress
from evaluation.dataset import Boxes


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectiveSearch:
    """Selective search (Uijlings et al. 2013), by OpenCV.

    The paper has 200 EdgeBox proposals, which need a trained file; its competitors have selective search.
    The photograph is made smaller until its longer side has `side` pixels [ours], so that an image takes a
    tenth of a second. Of boxes with an IoU above `overlap`, only the largest is kept [ours]. Of more than
    `most` that are left, the whole image stays, and the others are drawn at random by `seed` [ours].
    """

    most: int = 200
    side: int = 200
    overlap: float = 0.8
    least_area: float = 0.001
    """Smaller boxes are left out, as a share of the image."""
    seed: int = 1

    def propose(self, pixels: Pixels) -> Boxes:
        """Return boxes in pixel edges of the image, of shape (n, 4), the largest first."""
        height, width = pixels.shape[:2]
        scale = min(1.0, self.side / max(height, width))
        size = (max(round(width * scale), 1), max(round(height * scale), 1))
        small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
        whole = np.array([[0.0, 0.0, width, height]])
        if min(size) < 8:  # nothing to search
            return whole
        search = cv2.ximgproc.segmentation.createSelectiveSearchSegmentation()
        search.setBaseImage(small)
        search.switchToSelectiveSearchFast()
        corners = np.asarray(search.process(), dtype=np.float64).reshape(-1, 4)
        edges = np.concatenate([corners[:, :2], corners[:, :2] + corners[:, 2:]], axis=1)
        boxes = np.concatenate([whole, edges * ([width / size[0], height / size[1]] * 2)])
        # OpenCV draws their order at random, with a generator of its own.
        boxes = np.unique(np.clip(boxes, 0, [width, height] * 2), axis=0)
        boxes = boxes[areas(boxes) >= self.least_area * width * height]
        boxes = boxes[np.argsort(-areas(boxes), kind="stable")]
        boxes = boxes[suppress(boxes, threshold=self.overlap, most=len(boxes))]
        if len(boxes) > self.most:
            drawn = np.random.default_rng(self.seed).choice(len(boxes) - 1, self.most - 1, replace=False)
            boxes = boxes[[0, *np.sort(drawn + 1)]]  # the first one is the whole image
        return np.asarray(boxes)
