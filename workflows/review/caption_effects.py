"""What a change of a caption would do, told before it is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from annotation.models import Caption, ImageWork, Item, Judgment, Mention, VerificationQuestion
from annotation.selectors import project_types
from workflows.review.domain.captions import Fate, Known, Marked, Wording, fate_of, mark, proposed
from workflows.review.selectors import (
    HeldPages,
    Place,
    is_linked,
    known_mentions,
    pages_holding,
    places_of,
    withdrawn_mentions,
)


@dataclass(frozen=True, slots=True)
class Touched:
    """A chain that gets other mentions: how many it keeps, and how many join it."""

    place: Place
    text: str
    keeps: int
    joins: int

    @property
    def ends(self) -> bool:
        """Whether no mention is left."""
        return not self.keeps + self.joins


@dataclass(frozen=True, slots=True)
class Effect:
    """What rests on the caption and would change."""

    kept: int
    gone: tuple[str, ...]
    """The words of mentions that are none any more."""
    chains: tuple[Touched, ...]
    count_no_more: int
    """Judgments about these mentions and chains: undoing the change says as many."""
    questions: int
    pages: HeldPages
    alone: int
    """New phrases that get a chain of their own."""
    linked: bool
    """Whether the image's links are settled."""
    begun: bool
    """Whether anybody is, or was, asked about the image in the batch that has it."""
    by_hand: bool

    @property
    def is_nothing(self) -> bool:
        """Whether nothing that rests on the caption changes."""
        return not (self.gone or self.chains or self.questions or self.pages.number)


def marked_text(caption: Caption) -> str:
    """Return the caption with its phrases in brackets; of a withdrawn one, with those that it had."""
    spans = [(mention.start, mention.end) for mention in _mentions_of(caption)]
    return mark(caption.text, caption.tokens.split(" "), spans)


def _mentions_of(caption: Caption) -> list[Known]:
    """Return the mentions that the caption has, or had when it was withdrawn."""
    return withdrawn_mentions(caption) if caption.superseded else known_mentions(caption)


def suggest(caption: Caption, marked: Marked, work: ImageWork | None) -> Wording:
    """Return the wording that a marked caption suggests, with the chains that new phrases would join."""
    chain_of = {pk: place.key for place in places_of(caption.image_id, work) for pk in place.members}
    types = project_types(caption.image.project_id)
    return proposed(caption.tokens.split(" "), _mentions_of(caption), marked, chain_of, types)


def effect_of(caption: Caption, wording: Wording | None, work: ImageWork | None) -> Effect:
    """Return the changes if the caption said this, or were withdrawn (None). A handful of queries."""
    mentions = known_mentions(caption)
    fate = fate_of(caption.tokens.split(" "), mentions, wording or Wording("", (), ()))
    places = places_of(caption.image_id, work)
    texts = dict(Mention.objects.filter(image=caption.image_id).values_list("pk", "text"))
    gone = set(fate.gone)
    touched = tuple(_touched(places, fate, gone, texts))
    chains = [one.place.pk for one in touched if one.place.pk is not None]
    linked = work is not None and is_linked(work)
    # Once the links are settled, a decision keeps them: only what was asked about the chains is over.
    about = Q(chain__in=chains) if linked else Q(mention_a__in=gone) | Q(mention_b__in=gone)
    over: list[tuple[int, int]] = []
    if work is not None:
        rows = Item.objects.filter(about, work=work).exclude(state=Item.State.WITHDRAWN)
        over = list(rows.values_list("pk", "leased"))
    given = Judgment.objects.filter(item__in=[pk for pk, _ in over], set_aside__isnull=True)
    held = {pk for pk, leased in over if leased}
    joining = [phrase for phrase in fate.new if phrase.visual]
    return Effect(
        kept=len(fate.kept),
        gone=tuple(texts[one.id] for one in mentions if one.id in gone),
        chains=touched,
        count_no_more=given.count() if over else 0,
        questions=_questions(caption.image_id, gone),
        pages=pages_holding(work, held),
        alone=sum(not phrase.place for phrase in joining),
        linked=linked,
        begun=work is not None and work.state != ImageWork.State.QUEUED,
        by_hand=work is not None and work.batch.by_hand,
    )


def _touched(places: Sequence[Place], fate: Fate, gone: set[int], texts: Mapping[int, str]) -> list[Touched]:
    joined = [phrase.place for phrase in fate.new if phrase.visual]
    found = []
    for place in places:
        keeps = sum(pk not in gone for pk in place.members)
        joins = joined.count(place.key)
        if keeps < len(place.members) or joins:
            longest = max((texts.get(pk, "") for pk in place.members), key=len, default="")
            found.append(Touched(place, longest, keeps, joins))
    return found


def _questions(image_id: int, gone: set[int]) -> int:
    rows = VerificationQuestion.objects.filter(image=image_id)
    rows = rows.exclude(state=VerificationQuestion.State.RETIRED)
    return sum(bool(gone.intersection(ids)) for ids in rows.values_list("mentions", flat=True)) if gone else 0
