"""The shapes of requests and replies. They check requests, and the OpenAPI document is made from them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.domain.answers import DrawnBy
from annotation.domain.protocols import ALL_STAGES
from annotation.models import Assignment
from evaluation.readers.records import MAX_CAPTIONS
from workflows.api.openapi import AnswerField
from workflows.batch_settings.domain.protocol_groups import CHECK_PRESETS
from workflows.batch_settings.domain.settings import MAX_ITEMS_PER_PAGE, METHODS, PAY_BY
from workflows.pipeline.domain.caption_rules import RULES
from workflows.quality.domain.stage_access import Access
from workflows.quality.written_feedback import CHECK

STAGES = list(ALL_STAGES)
MAX_ERRORS = 10
MAX_INDEX = 32_767
"""The largest index of a caption that the database holds."""


class TextField(serializers.CharField):
    """A string. REST framework would also take a number for one, and write it out."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class BodySerializer(serializers.Serializer[None]):
    """A request, or a part of one. Unknown fields are errors, since they are most likely misspelt."""

    def to_internal_value(self, data: Any) -> Any:
        values = super().to_internal_value(data)
        strange = sorted(set(data) - set(self.fields))[:MAX_ERRORS]
        if strange:
            raise serializers.ValidationError(
                {name[:40]: ["is not part of this request"] for name in strange}
            )
        return values


class ClaimSerializer(BodySerializer):
    """Which work is wanted. Without a stage, it is the stage that needs work most."""

    stage = serializers.ChoiceField(choices=STAGES, allow_null=True, default=None)
    key = TextField(
        max_length=128, allow_blank=True, default="", help_text="a crowd platform's id for this page"
    )


class ReplySerializer(BodySerializer):
    """The answer to one item, with the worker's comment on it."""

    item = serializers.IntegerField(min_value=1, help_text="the item's place on the page, from 1")
    answer = AnswerField()
    seconds = serializers.FloatField(
        min_value=0, max_value=86_400, allow_null=True, default=None, help_text="time spent on the item"
    )
    drawn_by = serializers.ChoiceField(
        choices=[one.value for one in DrawnBy],
        allow_null=True,
        default=None,
        help_text="how the boxes of the answer were drawn",
    )
    suggestions_shown = serializers.BooleanField(
        default=False,
        help_text="the worker has seen the question's `suggestions`. Leave it out if they could not be shown",
    )
    comment = TextField(max_length=2000, allow_blank=True, default="")
    chunk_flag = serializers.BooleanField(default=False, help_text="the highlighted words are cut wrongly")
    unrelated = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=MAX_INDEX),
        max_length=MAX_CAPTIONS,
        default=list,
        help_text="the `index` of each caption shown that is about another photograph; not in campaigns, "
        "whose answers say it",
    )


class SubmissionSerializer(BodySerializer):
    """All answers of a page."""

    answers = serializers.ListField(child=ReplySerializer(), min_length=1, max_length=MAX_ITEMS_PER_PAGE)
    next = serializers.BooleanField(
        default=False, help_text="claim the next page of the stage at once, and return it with the receipt"
    )


def numbers(count: int, **more: Any) -> serializers.ListField:
    """Return a field of so many whole numbers, such as the edges of a box."""
    return serializers.ListField(child=serializers.IntegerField(), min_length=count, max_length=count, **more)


class MoneySerializer(serializers.Serializer[None]):
    """An amount in the currency's smallest unit (cents)."""

    amount = serializers.IntegerField()
    currency = serializers.CharField(help_text="ISO 4217")


class LeaseSerializer(serializers.Serializer[None]):
    """The time until which the page is held."""

    expires_at = serializers.DateTimeField()
    expires_in = serializers.FloatField(help_text="seconds until then, from the moment of the reply")


class RenditionSerializer(serializers.Serializer[None]):
    """A smaller copy of the photograph, which shows the same, edge to edge."""

    width = serializers.IntegerField(help_text="pixels of the copy")
    url = serializers.CharField(help_text="as the photograph's: a link for this worker, which expires")


class ImageSerializer(serializers.Serializer[None]):
    """The photograph, in pixels after EXIF orientation."""

    id = serializers.CharField(help_text="stays the same for this worker; other workers see another one")
    url = serializers.CharField(allow_null=True, help_text="a link for this worker, which expires")
    width = serializers.IntegerField(allow_null=True)
    height = serializers.IntegerField(allow_null=True)
    renditions = RenditionSerializer(
        many=True,
        required=False,
        help_text="smaller copies, the smallest first; boxes are in pixels of the photograph all the same",
    )


class SegmentSerializer(serializers.Serializer[None]):
    """A piece of a caption: plain text, never HTML."""

    text = serializers.CharField()
    mention = serializers.BooleanField()


class CaptionSerializer(serializers.Serializer[None]):
    """A caption in segments, which begin and end at the highlighted mention.

    A stage that shows whole captions (caption_check, grading, relevance) has one segment without a mention.
    """

    index = serializers.IntegerField()
    language = serializers.CharField(
        required=False, help_text="what the caption is written in: a BCP 47 tag, such as en"
    )
    segments = SegmentSerializer(many=True)


class QuestionSerializer(serializers.Serializer[None]):
    """The content of the screen. Boxes are [left, top, right, bottom], in pixel edges."""

    image = ImageSerializer()
    captions = CaptionSerializer(many=True)
    boxes = serializers.ListField(
        child=numbers(4),
        required=False,
        help_text="boxes accepted so far (drawing, quality, coverage, boxes, check)",
    )
    box = numbers(4, required=False, help_text="the new box (quality)")
    new_boxes = serializers.ListField(
        child=numbers(4),
        required=False,
        help_text="the new boxes, numbered from 1 in this order (check)",
    )
    points = serializers.ListField(
        child=numbers(2),
        required=False,
        help_text="where checkers marked that something is missing: x, y in pixels (boxes)",
    )
    suggestions = serializers.ListField(
        child=serializers.ListField(
            child=serializers.FloatField(allow_null=True), min_length=5, max_length=5
        ),
        required=False,
        help_text="boxes of a model, the best first: left, top, right, bottom, and its score or null. An "
        "answer names them by their place, from 0. Missing if the batch shows none (drawing, boxes)",
    )
    correct = serializers.CharField(
        required=False,
        allow_null=True,
        help_text="a sentence to correct; null if the photograph is to be described (writing)",
    )
    language = serializers.CharField(
        required=False, help_text="what to write in: a BCP 47 tag, such as en (writing)"
    )


class ItemSerializer(serializers.Serializer[None]):
    """One question, at its place on the page."""

    item = serializers.IntegerField()
    question = QuestionSerializer()


class DrawingSerializer(serializers.Serializer[None]):
    """How boxes are drawn in this batch."""

    method = serializers.ChoiceField(choices=METHODS)
    minimum_side = serializers.IntegerField(
        help_text="least width and height of a box, in pixels of the image"
    )


class CheckSerializer(serializers.Serializer[None]):
    """How a joint check begins."""

    preset = serializers.ChoiceField(
        choices=CHECK_PRESETS,
        help_text="good: new boxes are good unless the worker says otherwise; none: each has to be judged",
    )


class TextsSerializer(serializers.Serializer[None]):
    """A text by language. A language that is missing shows the other one."""

    en = serializers.CharField(required=False)
    de = serializers.CharField(required=False)


class ExamplePictureSerializer(serializers.Serializer[None]):
    """The photograph of an example, in pixels after EXIF orientation."""

    url = serializers.CharField(allow_null=True, help_text="a link for this worker, which expires")
    width = serializers.IntegerField()
    height = serializers.IntegerField()


class ExampleSerializer(serializers.Serializer[None]):
    """An example that the researcher cut from a photograph."""

    image = ExamplePictureSerializer()
    view = numbers(4, help_text="the part of the photograph to show: left, top, right, bottom")
    boxes = serializers.ListField(child=numbers(4))
    good = serializers.BooleanField()
    words = serializers.ListField(child=serializers.CharField(), help_text="the marked words")
    why = TextsSerializer(help_text="why it is good or bad")


class InstructionsSerializer(serializers.Serializer[None]):
    """The researcher's own instructions for a stage."""

    id = serializers.IntegerField(help_text="changes with every version")
    version = serializers.IntegerField(help_text="from 1 in each stage of a project")
    texts = TextsSerializer(
        help_text="plain text: an empty line begins a new paragraph, and lines that begin with - are a list; "
        "if there is none, the built-in text is meant"
    )
    usual_examples = serializers.BooleanField(help_text="the built-in examples are to be shown, too")
    examples = ExampleSerializer(many=True)


class NewestInstructionsSerializer(serializers.Serializer[None]):
    """The instructions of a stage as they are now."""

    instructions = InstructionsSerializer(
        allow_null=True, help_text="null if the built-in instructions are meant"
    )


class PageSerializer(serializers.Serializer[None]):
    """A page of items leased to the worker."""

    id = serializers.UUIDField()
    stage = serializers.ChoiceField(choices=STAGES)
    state = serializers.ChoiceField(choices=[str(state) for state in Assignment.State])
    expires_at = serializers.DateTimeField()
    expires_in = serializers.FloatField(
        help_text="seconds until then, from the moment of the reply; negative once it is over"
    )
    reward = MoneySerializer(allow_null=True, help_text="pay for the whole page; null if nothing is paid")
    usual_seconds = serializers.FloatField(help_text="how long a page with so many items usually takes")
    drawing = DrawingSerializer()
    check = CheckSerializer(required=False, help_text="only on pages of the stage check")
    unsure = serializers.IntegerField(
        required=False, help_text='how many of the items may be answered {"unsure": true}; 0 if none'
    )
    instructions = InstructionsSerializer(
        required=False,
        allow_null=True,
        help_text="as they were when the page was claimed; null if the built-in instructions are meant",
    )
    items = ItemSerializer(many=True)


class ReceiptSerializer(serializers.Serializer[None]):
    """The result of a submission. If it is sent again, the result is the same."""

    id = serializers.UUIDField()
    accepted = serializers.IntegerField(help_text="answers that count")
    acknowledged = serializers.IntegerField(help_text="answers that came too late to be needed")
    reward = MoneySerializer(allow_null=True, help_text="pay for the page; null if nothing is paid")
    next = PageSerializer(
        required=False,
        allow_null=True,
        help_text="the page that follows, if the request asked for it; null if none could be claimed",
    )


class WaitingSerializer(serializers.Serializer[None]):
    """A stage, and whether it has work for the worker."""

    stage = serializers.ChoiceField(choices=STAGES)
    waiting = serializers.BooleanField()


class StandingSerializer(serializers.Serializer[None]):
    """A worker's standing in one stage, and their work in it."""

    stage = serializers.ChoiceField(choices=STAGES)
    standing = serializers.ChoiceField(choices=[str(standing) for standing in Access])
    retry_in = serializers.FloatField(
        allow_null=True, help_text="seconds until the qualification test can be tried again (waiting)"
    )
    waiting = serializers.BooleanField(help_text="there is a page to claim, or the worker holds one")
    reward = MoneySerializer(
        allow_null=True,
        help_text="pay for the page that the worker holds, or for the next one; null if nothing is paid",
    )
    usual_seconds = serializers.FloatField(
        allow_null=True, help_text="how long a full page usually takes; null if no batch runs"
    )
    pay_by = serializers.ChoiceField(
        choices=PAY_BY, allow_null=True, help_text="whether a page that is not full pays less"
    )
    pages = serializers.IntegerField(help_text="submitted")
    judgments = serializers.IntegerField(help_text="answers that came in time to count")
    seconds = serializers.FloatField(help_text="time spent on these answers' items, as the pages measured it")


class WeekSerializer(serializers.Serializer[None]):
    """How well a worker answered verification questions in a week that is over."""

    begins = serializers.DateField(help_text="a Monday; the week begins and ends at 00:00 UTC")
    right_percent = serializers.IntegerField(help_text="the share of right answers, rounded to 10 percent")


class RefusalSerializer(serializers.Serializer[None]):
    """How many captions were refused for a reason. A caption may have several."""

    reason = serializers.ChoiceField(
        choices=[*RULES, CHECK],
        help_text=f"the rule that had found something, or `{CHECK}`: it does not describe the photograph",
    )
    captions = serializers.IntegerField()


class WrittenSerializer(serializers.Serializer[None]):
    """What became of the captions that the worker wrote. Those that wait for somebody are not counted."""

    accepted = serializers.IntegerField()
    refused = serializers.IntegerField()
    reasons = RefusalSerializer(many=True, help_text="the most frequent one first")


class MeSerializer(serializers.Serializer[None]):
    """What the worker did and earned, and how they stand."""

    worker = serializers.CharField()
    project = serializers.CharField()
    contact = serializers.CharField(
        allow_blank=True, help_text="an e-mail or https address; empty if the researcher gave none"
    )
    earned = MoneySerializer(many=True)
    stages = StandingSerializer(many=True)
    weeks = WeekSerializer(
        many=True,
        help_text="the latest weeks with enough answers, the newest first; empty if no batch allows it",
    )
    captions = WrittenSerializer(allow_null=True, help_text="null if the worker has written none")


class TokenSerializer(serializers.Serializer[None]):
    """A bearer token."""

    token = serializers.CharField()
