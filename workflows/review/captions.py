"""Edit a caption, withdraw it, and undo either. What a caption said and had is kept, and so are judgments.

A mention whose words stay is the same mention in the new version of its caption, so everything that rests on
it holds. Other mentions of the caption are superseded. What then becomes of the image depends on how far it
is: if its links are not settled, they go on with the mentions it has now; afterwards the change is a decision
about the image's chains, which is replayed like others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max, QuerySet

from annotation.domain.chain_states import REVIEW, WITHDRAWN
from annotation.domain.mentions import describe
from annotation.domain.types import ProjectTypes
from annotation.models import Caption, Case, Decision, GoldChain, Image, ImageWork, Mention
from annotation.row_changes import change_rows
from annotation.selectors import mentions_by_image, project_types, type_names
from annotation.transactions import write_transaction
from workflows.batch_settings.selectors import settings_of
from workflows.cases.review_queue import reopen_cases
from workflows.cases.unrelated_captions import close_unrelated
from workflows.pipeline.domain.moves import PROTOCOLS
from workflows.pipeline.models import Transition
from workflows.pipeline.replay.domain.decisions import DecisionError, NewGroup
from workflows.questions.known_answers import KnownAnswer, forget_known, keep_known
from workflows.review.annotate import image_version
from workflows.review.decide import StaleDecisionError, apply_decision, follow_up, lock_work, regroup_locked
from workflows.review.domain.captions import Fate, Phrase, Wording, check_phrases, fate_of
from workflows.review.domain.rulings import going_on
from workflows.review.rechunk import retire_recut
from workflows.review.selectors import (
    BRING_BACK,
    EDIT,
    UNDO,
    WITHDRAW,
    Place,
    active_work,
    is_linked,
    known_mentions,
    known_place,
    places_of,
    why_not_undoable,
)

STALE = "The image has changed since: look at it again."


def change_caption(
    *,
    caption_id: int,
    wording: Wording | None,
    by: str,
    note: str,
    now: datetime,
    version: str,
    unrelated: bool = False,
    also: Callable[[], object] | None = None,
) -> Decision:
    """Let the caption say this with these phrases, or withdraw it (None). A withdrawn one is brought back.

    `unrelated` says of a caption that is withdrawn that it is about another photograph: exports list it.
    `version` is the `image_version` that the researcher saw. `also` is called in the same transaction.
    Raises DecisionError if this cannot be done, and StaleDecisionError if the image changed since.
    """
    with write_transaction():
        caption, work = _locked(caption_id)
        if image_version(caption.image_id) != version:
            raise StaleDecisionError(STALE)
        if wording is None and caption.superseded:
            raise DecisionError("caption", "is withdrawn already")
        places = places_of(caption.image_id, work)
        if wording is not None:
            check_phrases(wording, [place.key for place in places], type_names(caption.image_id))
        fate = fate_of(caption.tokens.split(" "), known_mentions(caption), wording or Wording("", (), ()))
        if not fate.changes_mentions and wording is not None and _says(caption, wording):
            raise DecisionError("caption", "is as it was: there is nothing to save")
        was_unrelated = {"was_unrelated": caption.version} if caption.unrelated else {}
        written = _write(caption, wording, fate)
        if wording is None and unrelated:
            change_rows(Caption.objects.filter(pk=caption.pk), unrelated=True)
        action = WITHDRAW if wording is None else BRING_BACK if caption.superseded else EDIT
        content: dict[str, Any] = {
            "action": action,
            "caption": caption.index,
            "versions": [
                None if caption.superseded else caption.version,
                written.after.version if written.after is not None else None,
            ],
            "text": ["" if caption.superseded else caption.text, wording.text if wording else ""],
            **written.to_json(),
            **({"unrelated": True} if wording is None and unrelated else was_unrelated),
            "known": [],
        }
        answers = _known_answers(caption.image_id, places, written.joined) if fate.changes_mentions else None
        if answers is not None:
            rows = GoldChain.objects.filter(image=caption.image_id, superseded=False).order_by("pk")
            same = {answer.members for answer in answers}
            known = rows.values_list("pk", "members")
            content["known"] = [pk for pk, members in known if tuple(members) not in same]
        decision, ended = _decide(caption, work, places, written, content, fate, by=by, note=note, now=now)
        if wording is None or not caption.superseded:
            close_unrelated(image_id=caption.image_id, index=caption.index, decision_id=decision.pk, now=now)
        if answers is not None:
            keep_known(image_id=caption.image_id, decision=decision, chains=answers)
        retire_recut(caption.image_id)
        if also is not None:
            also()
    if work is not None:
        follow_up(work.batch_id, ended, now=now)
    return decision


def undo_change(
    *, decision_id: int, by: str, note: str, now: datetime, also: Callable[[], object] | None = None
) -> Decision:
    """Let the caption be what it was before this decision, with its mentions, chains and boxes.

    Judgments that rested on these count again. Judgments about what the decision made do not count any more;
    they are kept. Verification questions that it retired stay retired. Raises DecisionError if the decision
    cannot be undone: see `why_not_undoable`.
    """
    with write_transaction():
        decision = Decision.objects.filter(pk=decision_id, kind=Decision.Kind.CAPTION).first()
        if decision is None or decision.image_id is None:
            raise DecisionError("decision", f"there is no change of a caption {decision_id}")
        content = decision.content
        version = next(one for one in reversed(content["versions"]) if one is not None)
        of_image = Caption.objects.filter(image=decision.image_id, index=content["caption"])
        caption, work = _locked(of_image.get(version=version).pk)
        if why := why_not_undoable(decision.pk, caption.image_id, work):
            raise DecisionError("decision", why)
        _write_back(of_image, content)
        undone = Decision.objects.create(
            project_id=decision.project_id,
            kind=Decision.Kind.CAPTION,
            by=by,
            note=note,
            content={
                "action": UNDO,
                "undoes": decision.pk,
                "caption": content["caption"],
                "versions": content["versions"][::-1],
                "text": content["text"][::-1],
                "gone": content["new"],
                "new": content["gone"],
            },
            work=work,
            image_id=decision.image_id,
            created_at=now,
        )
        reopen_cases(decision)
        ended: list[int] = []
        if work is not None and (content["gone"] or content["new"]):
            ended = _replayed(work, now=now)
        retire_recut(decision.image_id)
        forget_known(image_id=decision.image_id, decision=decision, before=content["known"])
        if also is not None:
            also()
    if work is not None:
        follow_up(work.batch_id, ended, now=now)
    return undone


@dataclass(frozen=True, slots=True)
class _Written:
    """What was written: the caption's version in use, and the mentions before and after."""

    after: Caption | None
    kept: Mapping[int, tuple[int, int]]  # mention id -> its tokens before
    gone: Sequence[int]
    new: Sequence[int]
    # Place -> new visual mentions; '' for those with a chain of their own.
    joined: Mapping[str, Sequence[int]]

    def to_json(self) -> dict[str, Any]:
        return {
            "kept": [[pk, *span] for pk, span in self.kept.items()],
            "gone": list(self.gone),
            "new": list(self.new),
        }


def _locked(caption_id: int) -> tuple[Caption, ImageWork | None]:
    """Lock the image, and its work if a batch has the image. Return the caption and the work.

    The image is locked first, as its withdrawal does, so that captions are changed one at a time. An image
    without a batch is locked with its key, so that no batch takes it meanwhile. Whoever holds the work of an
    image may add rows that refer to the image, so the key of such an image is left alone.
    """
    caption = Caption.objects.filter(pk=caption_id).first()
    if caption is None:
        raise DecisionError("caption", f"there is no caption {caption_id}")
    active = active_work(caption.image_id)
    image = Image.objects.select_for_update(no_key=active is not None).get(pk=caption.image_id)
    if active_work(image.pk) != active:
        raise StaleDecisionError(STALE)
    work = lock_work(active.pk, None) if active is not None else None
    if image.withdrawn_at is not None:
        raise DecisionError("image", "is withdrawn: bring it back first")
    caption.refresh_from_db()
    in_use = Caption.objects.in_use().filter(image=image, index=caption.index)
    if caption.superseded and in_use.exists():
        raise StaleDecisionError(STALE)
    return caption, work


def _says(caption: Caption, wording: Wording) -> bool:
    return not caption.superseded and caption.text == wording.text


def _write(caption: Caption, wording: Wording | None, fate: Fate) -> _Written:
    """Write the caption's new version and its mentions. What it had is superseded, and kept."""
    before = {
        pk: (start, end)
        for pk, start, end in Mention.objects.filter(pk__in=fate.kept).values_list("pk", "start", "end")
    }
    # This comes first, since two mentions may not begin at the same token.
    change_rows(Mention.objects.filter(caption=caption, superseded=False), superseded=True)
    after = _new_version(caption, wording)
    if after is None or wording is None:
        return _Written(None, before, fate.gone, (), {})
    for pk, phrase in fate.kept.items():
        _place_mention(pk, after, wording.tokens, phrase.span)
    new: list[int] = []
    joined: dict[str, list[int]] = {}
    types = project_types(caption.image.project_id)
    for phrase in fate.new:
        mention = _new_mention(after, wording.tokens, phrase, types)
        new.append(mention.pk)
        if mention.annotatable:
            joined.setdefault(phrase.place, []).append(mention.pk)
    return _Written(after, before, fate.gone, new, joined)


def _new_version(caption: Caption, wording: Wording | None) -> Caption | None:
    """Return the version of the caption that is in use from now on."""
    if wording is not None and caption.text == wording.text:
        change_rows(Caption.objects.filter(pk=caption.pk), superseded=False, unrelated=False)
        return caption
    change_rows(Caption.objects.filter(pk=caption.pk), superseded=True, unrelated=False)
    if wording is None:
        return None
    newest = Caption.objects.filter(image=caption.image_id, index=caption.index).aggregate(Max("version"))
    return Caption.objects.create(
        image_id=caption.image_id,
        index=caption.index,
        version=newest["version__max"] + 1,
        text=wording.text,
        tokens=" ".join(wording.tokens),
    )


def _place_mention(pk: int, caption: Caption, tokens: Sequence[str], span: tuple[int, int]) -> None:
    """Let the mention be these words of this caption."""
    said = describe(tokens, *span)
    values = {"start": span[0], "end": span[1], "text": said.text, "head": said.head}
    change_rows(Mention.objects.filter(pk=pk), caption=caption, superseded=False, **values)


def _new_mention(caption: Caption, tokens: Sequence[str], phrase: Phrase, project: ProjectTypes) -> Mention:
    """Return the mention for a phrase: one that this version had before, or a new one."""
    said = describe(tokens, *phrase.span, project)
    types = "/".join(phrase.types or said.types)
    had = Mention.objects.filter(
        caption=caption,
        start=phrase.start,
        end=phrase.end,
        types=types,
        annotatable=phrase.visual,
        superseded=True,
    )
    if (mention := had.order_by("-pk").first()) is not None:
        change_rows(Mention.objects.filter(pk=mention.pk), superseded=False)
        mention.superseded = False
        return mention
    return Mention.objects.create(
        image_id=caption.image_id,
        caption=caption,
        start=phrase.start,
        end=phrase.end,
        text=said.text,
        head=said.head,
        types=types,
        annotatable=phrase.visual,
        types_version=project.version,
    )


def _decide(
    caption: Caption,
    work: ImageWork | None,
    places: Sequence[Place],
    written: _Written,
    content: Mapping[str, Any],
    fate: Fate,
    *,
    by: str,
    note: str,
    now: datetime,
) -> tuple[Decision, list[int]]:
    """Store the decision, and bring the image into the state that follows. Return what is done now."""
    if work is not None and fate.changes_mentions and is_linked(work):
        groups = _groups(work, places, written)
        decision, ended = regroup_locked(
            work,
            by=by,
            note=note,
            now=now,
            chains=groups,
            cuts=(),
            kind=Decision.Kind.CAPTION,
            more=content,
            image_id=caption.image_id,
        )
        cases = Case.objects.filter(chain__work=work, chain__state=WITHDRAWN, closed_at=None)
        cases.update(closed_at=now, decision=decision)
        return decision, ended
    project_id = Image.objects.values_list("project_id", flat=True).get(pk=caption.image_id)
    decision = Decision.objects.create(
        project_id=project_id,
        kind=Decision.Kind.CAPTION,
        by=by,
        note=note,
        content=dict(content),
        work=work,
        image_id=caption.image_id,
        created_at=now,
    )
    if work is None or not fate.changes_mentions:
        return decision, []
    return decision, _replayed(work, now=now)


def _replayed(work: ImageWork, *, now: datetime) -> list[int]:
    """Bring an image that is not waiting to be opened into the state that follows from its mentions."""
    if work.state == ImageWork.State.QUEUED:
        return []
    Transition.objects.create(
        work=work, rule="caption-changed", source=work.state, target=work.state, created_at=now
    )
    return apply_decision(work, now=now)


def _groups(work: ImageWork, places: Sequence[Place], written: _Written) -> list[NewGroup]:
    """Return the chains of the image from now on. Those whose mentions stay go on as they were."""
    mentions = {mention.id: mention for mention in mentions_by_image([work.image_id]).get(work.image_id, [])}
    protocol = PROTOCOLS[settings_of(work.batch).protocol]
    groups = []
    for place in places:
        ids = [*(pk for pk in place.members if pk in mentions), *written.joined.get(place.key, ())]
        spans = tuple((mentions[pk].caption, mentions[pk].start, mentions[pk].end) for pk in ids)
        if tuple(ids) == place.members:
            groups.append(NewGroup(spans))
        elif ids:
            members = [mentions[pk] for pk in ids]
            state = going_on(place.state, len(place.boxes), members, protocol)
            groups.append(NewGroup(spans, state, place.flag, place.boxes))
    for pk in written.joined.get("", ()):
        own = mentions[pk]
        # Nobody is asked anything in the batch by hand: the researcher annotates the phrase.
        state = REVIEW if work.batch.by_hand else ""
        groups.append(NewGroup(((own.caption, own.start, own.end),), state))
    return groups


def _known_answers(
    image_id: int, places: Sequence[Place], joined: Mapping[str, Sequence[int]]
) -> list[KnownAnswer] | None:
    """Return the image's known chains with the mentions that they have now; None if none is known.

    A phrase that joins a chain of the crowd joins the known chain that shares most mentions with it.
    """
    rows = list(GoldChain.objects.filter(image=image_id, superseded=False).order_by("number"))
    if not rows:
        return None
    known = [known_place(row) for row in rows]
    added: dict[str, list[int]] = {}
    for place in places:
        shares = {one.key: len(set(one.members) & set(place.members)) for one in known}
        best = place.key if place.pk is None else max(shares, key=lambda key: shares[key])
        if place.pk is None or shares[best]:
            added.setdefault(best, []).extend(joined.get(place.key, ()))
    in_use = mentions_by_image([image_id]).get(image_id, [])
    order = {mention.id: place for place, mention in enumerate(in_use)}
    answers = []
    for one in known:
        members = {*one.members, *added.get(one.key, ())}
        left = tuple(sorted((pk for pk in members if pk in order), key=lambda pk: order[pk]))
        same = members == set(one.members) == set(left)
        if left:
            answers.append(KnownAnswer(one.members if same else left, one.boxes, one.flag))
    return answers


def _write_back(of_image: QuerySet[Caption], content: Mapping[str, Any]) -> None:
    """Let the caption's version before be in use, with the mentions that it had."""
    before, after = content["versions"]
    over = [*content["new"], *(pk for pk, _, _ in content["kept"])]
    change_rows(Mention.objects.filter(pk__in=over), superseded=True)
    if after is not None:
        change_rows(of_image.filter(version=after), superseded=True)
    if before is None:
        if "was_unrelated" in content:
            change_rows(of_image.filter(version=content["was_unrelated"]), unrelated=True)
        return
    change_rows(of_image.filter(version=before), superseded=False, unrelated=False)
    caption = of_image.get(version=before)
    tokens = caption.tokens.split(" ")
    for pk, start, end in content["kept"]:
        _place_mention(pk, caption, tokens, (start, end))
    change_rows(Mention.objects.filter(pk__in=content["gone"]), superseded=False)
