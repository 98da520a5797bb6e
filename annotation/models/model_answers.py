"""Models that help: their versions, what they answered, and how good they have turned out to be."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models.corpus import Project
from annotation.models.quality import VerificationQuestion
from annotation.models.review import Decision
from annotation.models.work import Batch, Item


class ModelVersion(models.Model):
    """One version of a model that a project knows. Batches name it as `name/version`."""

    project = models.ForeignKey(Project, models.PROTECT, db_index=False, related_name="model_versions")
    name = models.SlugField(max_length=40)
    version = models.CharField(max_length=40)
    family = models.SlugField(max_length=40, help_text="models of one family make the same errors")
    digest = models.CharField(max_length=80, blank=True, help_text="of its weights, such as sha256:…")
    trained_on = models.TextField(blank=True, help_text="for people: the data that it was trained on")
    generation = models.PositiveIntegerField(default=0, help_text="tokens of earlier generations are refused")
    created_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("project", "name", "version"), name="model_version_once"),
        )

    def __str__(self) -> str:
        return f"{self.name}/{self.version}"


class JudgeRecord(models.Model):
    """How good a model's answers have turned out to be by some time. Rows are only ever added."""

    model = models.ForeignKey(ModelVersion, models.PROTECT, related_name="records")
    stage = models.CharField(max_length=16)
    content = models.JSONField(help_text="estimates and bounds, by where the boxes came from")
    answers = models.PositiveIntegerField(help_text="sealed answers that it rests on")
    created_at = models.DateTimeField()

    class Meta:
        indexes = (models.Index(fields=("model", "stage", "-id"), name="judge_record_newest"),)

    def __str__(self) -> str:
        return f"record of {self.model} in {self.stage} on {self.answers} answers"


class ModelAnswer(models.Model):
    """What a model answered to an item or to a verification question, or that it did not in time.

    Rules see `weights` alone, so a replay needs neither the record nor the time. Without weights the answer
    is sealed: it changes nothing, and shows later how good the model is.
    """

    model = models.ForeignKey(ModelVersion, models.PROTECT, related_name="answers")
    item = models.ForeignKey(Item, models.PROTECT, null=True, related_name="model_answers")
    question = models.ForeignKey(VerificationQuestion, models.PROTECT, null=True, related_name="+")
    answer = models.JSONField(null=True, help_text="an answer of the stage; null: none came in time")
    weights = models.JSONField(
        null=True, help_text="log odds that it adds: {'boxes': […], 'complete': …}; null: sealed"
    )
    record = models.ForeignKey(
        JudgeRecord, models.PROTECT, null=True, db_index=False, help_text="the record that gave the weights"
    )
    set_aside = models.ForeignKey(
        Decision, models.PROTECT, null=True, help_text="the decision by which it does not count any more"
    )
    charged_to = models.ForeignKey(
        Batch,
        models.PROTECT,
        null=True,
        related_name="+",
        help_text="the batch that pays it; null: none",
    )
    created_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(charged_to__isnull=True) | Q(answer__isnull=False), name="model_answer_paid"
            ),
            models.UniqueConstraint(
                fields=("item", "model"), condition=Q(item__isnull=False), name="model_answer_item_once"
            ),
            models.UniqueConstraint(
                fields=("question", "model"),
                condition=Q(question__isnull=False),
                name="model_answer_question_once",
            ),
            models.CheckConstraint(
                condition=Q(item__isnull=False, question__isnull=True)
                | Q(item__isnull=True, question__isnull=False),
                name="model_answer_of_one",
            ),
            # What says nothing, or is about a known image, weighs nothing.
            models.CheckConstraint(
                condition=Q(weights__isnull=True)
                | Q(answer__isnull=False, record__isnull=False, item__isnull=False),
                name="model_answer_weighs",
            ),
        )

    def __str__(self) -> str:
        return f"answer {self.pk} of model {self.model_id}"
