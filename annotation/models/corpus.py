"""The corpus: projects, images, captions, mentions, and known chains."""

from __future__ import annotations

from typing import Any, Self

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.sql.compiler import SQLCompiler


class Folded(models.Func):
    """The beginning of a text in lower case, ordered by code points. Phrases are looked up by it.

    It is cut, since an index entry of PostgreSQL may not be longer than a page.
    """

    template = "LOWER(SUBSTR(%(expressions)s, 1, 100))"
    arity = 1
    output_field = models.TextField()

    def as_postgresql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **extra: Any
    ) -> tuple[str, Any]:
        """Compare by code points, since a range of words depends on the database's language otherwise."""
        return self.as_sql(compiler, connection, template=f'{self.template} COLLATE "C"', **extra)


class ProjectManager(models.Manager["Project"]):
    """The projects that were not deleted. Of a deleted one, only money and log entries are left."""

    def get_queryset(self) -> models.QuerySet[Project]:
        return super().get_queryset().filter(deleted_at__isnull=True)


class Project(models.Model):
    """One corpus, and everything that is asked and known about it."""

    name = models.SlugField(max_length=64, unique=True)
    contact = models.CharField(
        max_length=254,
        blank=True,
        help_text="an e-mail or https address at which workers reach the researcher",
    )
    language = models.CharField(
        max_length=35, default="en", help_text="what its captions are written in, as a BCP 47 tag such as en"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    archived_at = models.DateTimeField(
        null=True, blank=True, help_text="no list shows it since then; it can be restored"
    )
    deleted_at = models.DateTimeField(
        null=True, blank=True, help_text="a manager deleted it; what it holds is being erased"
    )
    erased_at = models.DateTimeField(
        null=True, blank=True, help_text="everything but money and log entries is gone"
    )

    objects = ProjectManager()
    everything = models.Manager["Project"]()

    def __str__(self) -> str:
        return self.name


class ImageQuerySet(models.QuerySet["Image"]):
    """Questions that several parts of the project ask about images."""

    def in_use(self) -> Self:
        """Return the images that are not withdrawn."""
        return self.filter(withdrawn_at__isnull=True)


class Image(models.Model):
    """One photograph. `file` is empty until its picture is imported; its size may be known before."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, db_index=False, related_name="images")
    name = models.CharField(max_length=200, help_text="file name with its extension")
    file = models.FileField(max_length=300, blank=True)
    width = models.PositiveIntegerField(null=True, blank=True, help_text="pixels, after EXIF orientation")
    height = models.PositiveIntegerField(null=True, blank=True, help_text="pixels, after EXIF orientation")
    renditions = models.JSONField(
        null=True,
        blank=True,
        help_text="the widths in which smaller copies of the photograph are stored; null until they are made",
    )
    split = models.CharField(max_length=16, blank=True)
    withdrawn_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="a researcher took it out of the data set then; nobody is asked about it since",
    )

    objects = ImageQuerySet.as_manager()

    class Meta:
        constraints = (
            # This is also the order and the keyset of every pass over a project.
            models.UniqueConstraint(fields=("project", "name"), name="image_project_name"),
        )
        indexes = (
            # for the search for images, which goes by id.
            models.Index(fields=("project", "id"), name="image_project_id"),
            models.Index(
                fields=("project", "id"),
                condition=models.Q(withdrawn_at__isnull=False),
                name="image_withdrawn",
            ),
            # for the counts: how many images have no picture yet, every few seconds.
            models.Index(fields=("project",), condition=models.Q(file=""), name="image_without_picture"),
            # for the task that makes renditions: which photographs have none yet, every minute.
            models.Index(
                fields=("id",),
                condition=models.Q(renditions__isnull=True) & ~models.Q(file=""),
                name="image_without_renditions",
            ),
        )

    def __str__(self) -> str:
        return self.name


class CaptionQuerySet(models.QuerySet["Caption"]):
    """Questions that several parts of the project ask about captions."""

    def in_use(self) -> Self:
        """Return the captions that belong to the data set: neither edited since nor withdrawn."""
        return self.filter(superseded=False)


class Caption(models.Model):
    """One sentence about an image. Without their spaces, `tokens` and `text` are always the same.

    What a caption says is never changed. A researcher who edits it adds a version, and a caption that is
    withdrawn has no version in use.
    """

    image = models.ForeignKey(Image, on_delete=models.PROTECT, db_index=False, related_name="captions")
    index = models.PositiveSmallIntegerField(help_text="0-based place among the image's captions")
    version = models.PositiveSmallIntegerField(
        default=0, help_text="0 is what was imported; each edit adds one"
    )
    text = models.TextField(help_text="what the caption says, untouched")
    tokens = models.TextField(help_text="its tokens, Penn style, joined with single spaces")
    superseded = models.BooleanField(
        default=False, help_text="a researcher edited or withdrew it; kept for the mentions it had"
    )
    unrelated = models.BooleanField(
        default=False,
        db_default=False,
        help_text="it was withdrawn because it is about another photograph, or was imported as such a one",
    )

    objects = CaptionQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("image", "index", "version"), name="caption_image_version"),
            models.UniqueConstraint(
                fields=("image", "index"),
                condition=models.Q(superseded=False),
                name="caption_image_index",
            ),
            models.UniqueConstraint(
                fields=("image", "index"),
                condition=models.Q(unrelated=True),
                name="caption_unrelated_once",
            ),
            models.CheckConstraint(
                condition=models.Q(unrelated=False) | models.Q(superseded=True),
                name="caption_unrelated_withdrawn",
            ),
        )

    def __str__(self) -> str:
        return self.text


class Mention(models.Model):
    """A noun-phrase chunk of a caption: tokens `start` to `end` (half open)."""

    image = models.ForeignKey(Image, on_delete=models.PROTECT, related_name="mentions")
    caption = models.ForeignKey(Caption, on_delete=models.PROTECT, db_index=False, related_name="mentions")
    start = models.PositiveSmallIntegerField()
    end = models.PositiveSmallIntegerField()
    text = models.TextField()
    head = models.CharField(max_length=100, help_text="the last word, in lower case")
    types = models.CharField(max_length=400, help_text="joined with a slash, e.g. bodyparts/people")
    types_version = models.PositiveIntegerField(
        default=0, db_default=0, help_text="of the project's own types when it was typed; 0: there were none"
    )
    annotatable = models.BooleanField(
        default=True,
        help_text="false for pronouns and non-visual terms: never asked about, exported as notvisual",
    )
    superseded = models.BooleanField(
        default=False,
        help_text="a researcher cut or edited the caption differently; kept for the judgments about it",
    )

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("caption", "start"),
                condition=models.Q(superseded=False),
                name="mention_caption_start",
            ),
            models.CheckConstraint(condition=models.Q(start__lt=models.F("end")), name="mention_not_empty"),
        )
        indexes = (
            # for the search for images: by the beginnings of phrases, by head nouns, by types. These indexes
            # cover all columns that it reads.
            models.Index(Folded("text"), "image", "superseded", name="mention_phrase"),
            models.Index(fields=("head", "image", "superseded"), name="mention_head"),
            models.Index(fields=("image", "types", "superseded"), name="mention_types"),
        )

    def __str__(self) -> str:
        return self.text


class GoldChain(models.Model):
    """A known chain: imported with `--as-gold`, or annotated as gold by a researcher."""

    image = models.ForeignKey(Image, on_delete=models.PROTECT, db_index=False, related_name="gold_chains")
    number = models.PositiveBigIntegerField(help_text="the chain's id in the source, or the next free one")
    members = models.JSONField(help_text="mention ids")
    boxes = models.JSONField(default=list, help_text="[[left, top, right, bottom], …], pixel edges")
    scene = models.BooleanField(default=False)
    nobndbox = models.BooleanField(default=False)
    decision = models.ForeignKey(
        "Decision",
        models.PROTECT,
        null=True,
        db_index=False,
        related_name="+",
        help_text="the researcher's annotation that it is from; empty if it was imported",
    )
    superseded = models.BooleanField(
        default=False, help_text="a researcher annotated the image anew; kept for questions made from it"
    )

    class Meta:
        constraints = (models.UniqueConstraint(fields=("image", "number"), name="gold_image_number"),)

    def __str__(self) -> str:
        return f"gold chain {self.number}"
