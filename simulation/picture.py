"""Draws an exported image as in figure 1 of the paper: boxes, and mentions in the colour of their chain.

`python -m simulation.picture DATASET IMAGES OUT.png NAME…` reads a flickr30k-entities folder. NAME is the
name of an image in it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from annotation.domain.records import CaptionRecord, ImageRecord, Problem
from annotation.formats.datasets import flickr30k_entities

Colour = tuple[int, int, int]
COLOURS: tuple[Colour, ...] = (
    (214, 39, 40), (31, 119, 180), (44, 140, 44), (148, 103, 189), (230, 110, 0), (0, 140, 150),
    (190, 60, 150), (120, 85, 70), (90, 90, 200), (140, 140, 0),
)  # fmt: skip
INK, PAPER, FAINT = (35, 35, 35), (255, 255, 255), (150, 150, 150)
PICTURE_HEIGHT, TEXT_WIDTH, MARGIN, TEXT_SIZE, LINE = 420, 620, 18, 21, 31


def picture(record: ImageRecord, photograph: Path) -> Image.Image:
    """Return a picture of one row: the photograph with every box, and the captions beside it."""
    with Image.open(photograph) as opened:
        scale = PICTURE_HEIGHT / opened.height
        width = round(opened.width * scale)
        photo = opened.convert("RGB").resize((width, PICTURE_HEIGHT), Image.Resampling.LANCZOS)
    colours = {chain.id: COLOURS[n % len(COLOURS)] for n, chain in enumerate(record.chains)}
    draw = ImageDraw.Draw(photo)
    for chain in record.chains:
        for index in chain.boxes:
            box = record.boxes[index].box
            edges = [round(edge * scale) for edge in (box.left, box.top, box.right, box.bottom)]
            draw.rectangle(edges, outline=PAPER, width=5)
            draw.rectangle(edges, outline=colours[chain.id], width=3)
    row = Image.new("RGB", (width + TEXT_WIDTH + 3 * MARGIN, PICTURE_HEIGHT + 2 * MARGIN), PAPER)
    row.paste(photo, (MARGIN, MARGIN))
    _captions(ImageDraw.Draw(row), record, colours, width + 2 * MARGIN)
    return row


def _captions(draw: ImageDraw.ImageDraw, record: ImageRecord, colours: dict[int, Colour], left: int) -> None:
    font = ImageFont.load_default(TEXT_SIZE)
    space, top = draw.textlength(" ", font), float(MARGIN)
    for caption in record.captions:
        x = float(left)
        for word, colour in _coloured(caption, colours):
            length = draw.textlength(word, font)
            if x + length > left + TEXT_WIDTH:
                x, top = float(left), top + LINE
            draw.text((x, top), word, fill=colour, font=font, stroke_width=0.4 if colour != INK else 0)
            x += length + space
        top += LINE * 1.5


def _coloured(caption: CaptionRecord, colours: dict[int, Colour]) -> list[tuple[str, Colour]]:
    inks = [INK] * len(caption.tokens)
    for mention in caption.mentions or ():
        colour = colours.get(mention.chain or 0, FAINT)
        inks[mention.start : mention.end] = [colour] * (mention.end - mention.start)
    return list(zip(caption.tokens, inks, strict=True))


def main(arguments: Sequence[str]) -> int:
    """Draw a row for each named image, one above the other.

    Return 1 if one is not in the data set, else 0.
    """
    dataset, images, out, *names = arguments
    records = {r.name: r for r in flickr30k_entities.read(Path(dataset)) if not isinstance(r, Problem)}
    by_stem = {Path(name).stem: record for name, record in records.items()}
    missing = [name for name in names if Path(name).stem not in by_stem]
    if missing:
        print(f"not in {dataset}: {', '.join(missing)}", file=sys.stderr)
        return 1
    rows = [picture(by_stem[Path(name).stem], Path(images) / name) for name in names]
    sheet = Image.new("RGB", (max(row.width for row in rows), sum(row.height for row in rows)), PAPER)
    top = 0
    for row in rows:
        sheet.paste(row, (0, top))
        top += row.height
    sheet.save(out, optimize=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
