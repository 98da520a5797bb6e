"""Words for people about an export: its summary, and why there was nothing to export."""

from __future__ import annotations

from annotation.exporting.manifest import Manifest
from annotation.exporting.raw import LeftOut

# For each reason in LeftOut, the words for one image and for several.
_REASONS = {
    "unfinished": ("is not finished", "are not finished"),
    "waiting to be read": ("has answers that nobody has read yet", "have answers that nobody has read yet"),
    "with unresolved mentions": ("has unresolved mentions", "have unresolved mentions"),
    "in no batch": ("is in no batch", "are in no batch"),
    "without known chains": ("has no known chains", "have no known chains"),
    "without captions": ("has no captions", "have no captions"),
}


def summary(manifest: Manifest) -> list[str]:
    """Return lines about an export: counts, what merging did, what was left out and why, the content hash."""
    merging = manifest.merging
    merged = manifest.settings["merge"] is not None
    lines = [
        f"images:   {manifest.images:,}",
        f"captions: {manifest.captions:,}",
        f"mentions: {manifest.mentions:,} in chains, {manifest.notvisual:,} not visual or without a chain",
        f"chains:   {merging.chains:,}{_fewer(merging.chains_raw, merging.chains, merged)}",
        f"boxes:    {merging.boxes:,}{_fewer(merging.boxes_raw, merging.boxes, merged)}",
    ]
    if manifest.pictures is not None:
        lines.append(f"pictures: {manifest.pictures:,}")
    if two := merging.chains_two_of_a_caption:
        lines.append(f"          {counted(two, 'chain has', 'chains have')} two mentions of one caption")
    if merged and (equal := merging.chains_of_equal_boxes):
        what = counted(equal, "chain stays", "chains stay")
        lines.append(f"          {what} apart from one with the same boxes: both are in one caption")
    left_out = (f"left out: {words}" for words in say_left_out(manifest.left_out))
    unresolved = (
        f"unresolved: {counted(count, 'mention', 'mentions')}: {reason}"
        for reason, count in sorted(manifest.unresolved.items())
    )
    parts = (
        f"{said}: {count:,} {part}"
        for said, counts in (
            ("not in this format", manifest.not_in_format),
            ("written, but", manifest.written_but),
        )
        for part, count in sorted(counts.items())
        if count
    )
    return [*lines, *left_out, *parts, *unresolved, manifest.content_hash]


def say_left_out(left_out: LeftOut) -> list[str]:
    """Return phrases such as `18 images in no batch` and `1 chain in review`."""
    return [
        f"{counted(count, one, many)} {reason}"
        for one, many, counts in (
            ("image", "images", left_out.images),
            ("picture", "pictures", left_out.pictures),
            ("chain", "chains", left_out.chains),
            ("box", "boxes", left_out.boxes),
        )
        for reason, count in sorted(counts.items())
        if count
    ]


def why_nothing(manifest: Manifest) -> str:
    """Return why no image was exported, and what would help."""
    left_out = manifest.left_out.images
    if not left_out.total():
        what = f"batch {manifest.batch!r}" if manifest.batch else f"project {manifest.project!r}"
        return f"nothing was exported: {what} has no images"
    reasons = []
    for reason, (one, many) in _REASONS.items():
        if count := left_out[reason]:
            reasons.append(f"{counted(count, 'image', 'images')} {one if count == 1 else many}")
    said = f"nothing was exported: {', '.join(reasons)}"
    takable = left_out.total() - left_out["without captions"]
    if not takable:
        return f"{said}; without captions there is nothing to write"
    them = "it as it is" if takable == 1 else "them as they are"
    option = "unresolved" if takable == left_out["with unresolved mentions"] else "unfinished"
    return f"{said}; --include-{option} takes {them}"


def counted(count: int, one: str, many: str) -> str:
    """Return a phrase such as `1 image` or `2,000 images`."""
    return f"{count:,} {one if count == 1 else many}"


def _fewer(raw: int, left: int, merged: bool) -> str:
    """Return how many fewer were written, or "". Even without merging, chains share boxes that are equal."""
    if raw <= left:
        return ""
    return f" ({'merging removed' if merged else 'shared:'} {raw - left:,}, {(raw - left) / raw:.1%})"
