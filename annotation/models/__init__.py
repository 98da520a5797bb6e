"""The nouns: what is annotated (corpus), who is asked what (work), what came of it (results)."""

from annotation.models.corpus import Caption, GoldChain, Image, Mention, Project
from annotation.models.results import Box, Chain
from annotation.models.work import Assignment, Batch, ImageWork, Item, Judgment, Worker

__all__ = [
    "Assignment",
    "Batch",
    "Box",
    "Caption",
    "Chain",
    "GoldChain",
    "Image",
    "ImageWork",
    "Item",
    "Judgment",
    "Mention",
    "Project",
    "Worker",
]
