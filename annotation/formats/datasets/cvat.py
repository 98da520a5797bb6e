"""One file of XML that CVAT imports as *CVAT for images 1.1*."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile
from xml.sax.saxutils import escape, quoteattr

from annotation.domain.records import ChainRecord, ImageRecord
from annotation.formats import parts
from annotation.formats.base import Writer
from annotation.formats.datasets.coco import Categories
from annotation.formats.datasets.grounded_captions import drawn, said, size_of

FILE = "annotations.xml"
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that captions may have and XML may not."""
_REPLACED = "\ufffd"
ATTRIBUTES = ("chains", "phrases", "types", "flag")
"""What a box or a tag has besides its label."""


class CvatWriter(Writer):
    """Writes `annotations.xml`: a box for each box, and a tag for each chain without boxes.

    The label is the first type. The attributes are the ids of the chains, their phrases, and all types; those
    of a tag also say why it has no box: `scene` or `nobndbox`. Boxes are in pixel edges.
    """

    LACKS = frozenset({parts.CAPTIONS, parts.NOT_VISUAL})

    def __init__(self, out: Path) -> None:
        super().__init__(out)
        # The labels come before the images, and are known after them.
        self._images = TemporaryFile(dir=out)  # noqa: SIM115 (`discard` closes it)
        self._categories = Categories()
        self._count = 0

    def _add(self, record: ImageRecord) -> None:
        width, height = size_of(record)
        self._categories.add(record)
        subset = f" subset={quoteattr(record.split)}" if record.split else ""
        self._images.write(
            f'  <image id="{self._count}" name={quoteattr(record.name)}{subset} width="{width}" '
            f'height="{height}">\n{"".join(_shapes(record))}  </image>\n'.encode()
        )
        self._count += 1

    def close(self) -> None:
        labels = "".join(
            f"        <label><name>{escape(entry['name'])}</name><type>any</type><attributes>{_ATTRIBUTES}"
            "</attributes></label>\n"
            for entry in self._categories.to_json()
        )
        with (self.out / FILE).open("wb") as out:
            out.write(
                '<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n  <version>1.1</version>\n  <meta>\n'
                f"    <task>\n      <size>{self._count}</size>\n      <mode>annotation</mode>\n"
                f"      <labels>\n{labels}      </labels>\n    </task>\n  </meta>\n".encode()
            )
            self._images.seek(0)
            shutil.copyfileobj(self._images, out, 1 << 20)
            out.write(b"</annotations>\n")
        self.discard()

    def discard(self) -> None:
        self._images.close()


_ATTRIBUTES = "".join(
    f"<attribute><name>{name}</name><mutable>False</mutable><input_type>text</input_type>"
    "<default_value></default_value><values></values></attribute>"
    for name in ATTRIBUTES
)


def _shapes(record: ImageRecord) -> Iterator[str]:
    phrases: dict[int, dict[str, None]] = {}
    for caption in said(record):
        for phrase in caption.phrases:
            phrases.setdefault(phrase.chain, {})[phrase.text] = None
    for one in drawn(record).values():
        left, top, right, bottom = one.box.edges
        named = dict.fromkeys(text for chain in one.chains for text in phrases.get(chain, ()))
        yield (
            f'    <box label={quoteattr(one.types[0])} source="manual" occluded="0" xtl="{left}.00" '
            f'ytl="{top}.00" xbr="{right}.00" ybr="{bottom}.00" z_order="0">'
            f"{_attributes(one.chains, named, one.types, '')}</box>\n"
        )
    for chain in record.chains:
        if not chain.boxes:
            told = _attributes((chain.id,), phrases.get(chain.id, {}), chain.types, _flag(chain))
            label = quoteattr((chain.types or ("other",))[0])
            yield f'    <tag label={label} source="manual">{told}</tag>\n'


def _attributes(chains: tuple[int, ...], phrases: dict[str, None], types: tuple[str, ...], flag: str) -> str:
    values = (" ".join(map(str, chains)), "; ".join(phrases), " ".join(types), flag)
    return "".join(
        f'<attribute name="{name}">{escape(_NOT_XML.sub(_REPLACED, value))}</attribute>'
        for name, value in zip(ATTRIBUTES, values, strict=True)
    )


def _flag(chain: ChainRecord) -> str:
    return " ".join(name for name in ("scene", "nobndbox") if getattr(chain, name))
