"""The models: what is annotated (corpus), who is asked what (work), what they answer (pages), what follows
from the answers (results), how workers are checked (quality), what researchers decide (review), and what
models say (model_answers) and suggest (suggestions), and what was changed in rows that are sealed (changes).
"""

from annotation.models.assignments import IS_RIGHT, Abstention, Assignment, Judgment
from annotation.models.changes import RowChange
from annotation.models.corpus import Caption, GoldChain, Image, Mention, Project
from annotation.models.instructions import InstructionsVersion
from annotation.models.model_answers import JudgeRecord, ModelAnswer, ModelVersion
from annotation.models.quality import (
    EntranceImage,
    Exposure,
    QualificationTry,
    Standing,
    VerificationQuestion,
)
from annotation.models.results import Box, Chain
from annotation.models.review import Case, Decision
from annotation.models.suggestions import PairScores, Suggestion, SuggestionSet, SuggestionStop
from annotation.models.types import TypesVersion
from annotation.models.work import Batch, ImageWork, Item, Worker

__all__ = [
    "IS_RIGHT",
    "Abstention",
    "Assignment",
    "Batch",
    "Box",
    "Caption",
    "Case",
    "Chain",
    "Decision",
    "EntranceImage",
    "Exposure",
    "GoldChain",
    "Image",
    "ImageWork",
    "InstructionsVersion",
    "Item",
    "JudgeRecord",
    "Judgment",
    "Mention",
    "ModelAnswer",
    "ModelVersion",
    "PairScores",
    "Project",
    "QualificationTry",
    "RowChange",
    "Standing",
    "Suggestion",
    "SuggestionSet",
    "SuggestionStop",
    "TypesVersion",
    "VerificationQuestion",
    "Worker",
]
