"""What is known of a project's images: gold rows in, the simulation's own types out."""

from annotation.domain.geometry import Box
from annotation.domain.tokens import align
from annotation.models import GoldChain, Mention
from simulation.truth import KnownChain, Span, Truth


def load_truth(project: str) -> Truth:
    """The gold chains of a project. All of it is held in memory: about 1 kB a chain."""
    spans = _spans(project)
    images: dict[int, dict[Span, KnownChain]] = {}
    rows = GoldChain.objects.filter(image__project__name=project).order_by("image_id", "number")
    for row in rows.iterator(2000):
        boxes = tuple(Box(*edges) for edges in row.boxes)
        chain = KnownChain(row.number, boxes, row.scene)
        known = images.setdefault(row.image_id, {})
        for member in row.members:
            known[spans[member]] = chain
    return Truth(images)


def _spans(project: str) -> dict[int, Span]:
    """Mention id -> where the mention stands, in characters."""
    rows = Mention.objects.filter(image__project__name=project, annotatable=True)
    columns = ("pk", "start", "end", "caption__index", "caption__text", "caption__tokens")
    spans = {}
    for pk, start, end, index, text, tokens in rows.values_list(*columns).iterator(2000):
        places = align(text, tokens.split(" "))
        spans[pk] = (index, places[start][0], places[end - 1][1])
    return spans
