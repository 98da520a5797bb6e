"""Sentences with their boxes, as the Flickr30k evaluation of MDETR and GLIP takes them.

An entry is `{"image_id": "1000092795", "sentence_id": 0, "boxes": [[[l, t, r, b], …], …]}`. `image_id` is the
image's name without its suffix, and `sentence_id` the number of the sentence from 0. `boxes` has a list for
each mention of the sentence that has a box, in their order, and each list has the best box first. GLIP also
writes `scores`, which say the same as the order, and ends each list with the box `[0, 0, 0, 0]`.
"""

from __future__ import annotations

from typing import Any

from evaluation.errors import Place, boxes_of, fields_of, number, within
from evaluation.predictions.findings import Findings
from evaluation.predictions.formats import Form
from evaluation.predictions.lookup import Lookup
from evaluation.predictions.parts import Parts


def add_sentence(
    entry: dict[str, Any], place: Place, lookup: Lookup, findings: Findings, parts: Parts, form: Form
) -> None:
    """Add the predictions of an entry, whose numbers are what `form` says.

    Predictions for a sentence without phrases that have boxes are counted.

    Raise InputError if another entry has not a list for each mention with a box.
    """
    fields = fields_of(entry, place, ("image_id", "sentence_id", "boxes"), ("scores",))
    image_id, sentence = fields["image_id"], fields["sentence_id"]
    if isinstance(sentence, str) and sentence.isascii() and sentence.isdigit():
        sentence = int(sentence)
    index = number(sentence, place, "sentence_id", 0, 2**31)
    if not isinstance(image_id, str | int) or isinstance(image_id, bool):
        raise place.error("image_id", "is neither a text nor a number")
    lists = within(fields["boxes"], list, place, "boxes")
    at = lookup.image(image_id)
    captions = () if at is None else lookup.dataset.images[at].captions
    if not 0 <= index < len(captions):
        kind = "prediction for a mention that the data set does not have"
        findings.add(kind, f"{place.entry}: sentence {index} of image {image_id}", len(lists))
        return
    known = (lookup.row(mention.key) for mention in captions[index].mentions)
    rows = [row for row in known if row is not None]
    if lists and not rows:  # the published evaluators go over the phrases, and so never come to such a list
        kind = "prediction for a sentence without phrases that have boxes"
        findings.add(kind, f"{place.entry}: sentence {index} of image {image_id}", len(lists))
        return
    if len(lists) != len(rows):
        raise place.error("boxes", f"has {len(lists)} lists for {len(rows)} {lookup.queried}")
    for nth, (row, boxes) in enumerate(zip(rows, lists, strict=True)):
        found = boxes_of(boxes, place, f"boxes[{nth}]")
        if len(found) and not found[-1].any():
            found = found[:-1]
        parts.add(row, found, None, place, form=form)
