"""Check a researcher's cuts and chains for an image."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from annotation.domain.answers import Stage
from annotation.domain.chain_states import DONE, NONVISUAL, REVIEW
from annotation.domain.geometry import Box
from annotation.domain.mentions import Mention, reading_order
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.pipeline.domain.moves import Protocol
from workflows.pipeline.replay.domain.contexts import Source
from workflows.pipeline.replay.domain.decisions import (
    FLAGS,
    MAX_CHAINS,
    ChainDecision,
    Cut,
    DecidedBox,
    DecisionError,
    Group,
    NewGroup,
    check_boxes,
)

Span = tuple[int, int, int]
"""Caption index, first token, and the token after the last."""


def check_cuts(cuts: Sequence[Cut], tokens: Mapping[int, int], types: Collection[str]) -> None:
    """Raise DecisionError if a cut does not fit, or names none of these types.

    `tokens` has the number of tokens by caption index.
    """
    seen: set[int] = set()
    for place, cut in enumerate(cuts):
        field = f"cuts[{place}]"
        if cut.caption not in tokens:
            raise DecisionError(f"{field}.caption", f"the image has no caption {cut.caption}")
        if cut.caption in seen:
            raise DecisionError(f"{field}.caption", f"caption {cut.caption} is cut twice")
        seen.add(cut.caption)
        for number, chunk in enumerate(cut.chunks):
            if not 0 <= chunk.start < chunk.end <= tokens[cut.caption]:
                raise DecisionError(
                    f"{field}.chunks[{number}]",
                    f"{chunk.start}:{chunk.end} is not a span of the caption's {tokens[cut.caption]} tokens",
                )
            if strange := [name for name in chunk.types if name not in types]:
                raise DecisionError(
                    f"{field}.chunks[{number}].types",
                    f"{strange[0]!r} is not a type: use {', '.join(types)}",
                )
        for one, other in pairwise(sorted(cut.chunks, key=lambda chunk: chunk.start)):
            if other.start < one.end:
                raise DecisionError(
                    f"{field}.chunks",
                    f"{one.start}:{one.end} and {other.start}:{other.end} overlap: cut them apart",
                )


def resolve_groups(
    chains: Sequence[NewGroup],
    mentions: Sequence[Mention],
    standing: Mapping[tuple[int, ...], int],
    *,
    size: tuple[int | None, int | None],
    protocol: Protocol,
    settings: BatchSettings,
) -> tuple[Group, ...]:
    """Return the chains with the ids of their mentions, in reading order.

    `mentions` are the mentions that need a chain, with the captions chunked as they are from here on.
    `standing` are the existing chains: mention ids -> generation. Raises DecisionError if the chains do not
    fit.
    """
    if len(chains) > MAX_CHAINS:
        raise DecisionError("chains", f"are {len(chains)}; an image has at most {MAX_CHAINS}")
    by_span: dict[Span, Mention] = {(m.caption, m.start, m.end): m for m in mentions}
    taken: dict[Span, int] = {}
    groups = []
    for place, chain in enumerate(chains):
        field = f"chains[{place}]"
        if not chain.mentions:
            raise DecisionError(f"{field}.mentions", "a chain has at least one mention: leave this one out")
        for span in chain.mentions:
            caption, start, end = span
            if span not in by_span:
                where = f"tokens {start}:{end} of caption {caption}"
                raise DecisionError(f"{field}.mentions", f"{where} are not a mention of the image")
            if span in taken:
                text = by_span[span].text
                raise DecisionError(f"{field}.mentions", f"{text!r} is already in chains[{taken[span]}]")
            taken[span] = place
        members = reading_order(by_span[span] for span in chain.mentions)
        groups.append(_group(chain, members, field, standing, size, protocol, settings))
    if left := [mention for span, mention in by_span.items() if span not in taken]:
        named = ", ".join(f"{m.text!r} (caption {m.caption}, token {m.start})" for m in left[:5])
        raise DecisionError("chains", f"mentions in no chain: {named}; give each a chain, if only its own")
    order = {m.id: n for n, m in enumerate(reading_order(mentions))}
    return tuple(sorted(groups, key=lambda one: order[one.members[0]]))


def _group(
    chain: NewGroup,
    members: Sequence[Mention],
    field: str,
    standing: Mapping[tuple[int, ...], int],
    size: tuple[int | None, int | None],
    protocol: Protocol,
    settings: BatchSettings,
) -> Group:
    ids = tuple(member.id for member in members)
    if ids in standing and not (chain.state or chain.boxes or chain.flag):
        return Group(ids, kept=standing[ids])
    check_boxes(chain.boxes, f"{field}.boxes", size=size, minimum_side=settings.minimum_side)
    # A researcher put these mentions together: nobody has to verify it.
    state = chain.state or (protocol.opening(members, settings, verified=True) if not chain.boxes else "")
    check_state(state, chain.flag, len(chain.boxes), members, protocol, f"{field}.")
    boxes = tuple(map(DecidedBox, chain.boxes))
    if ids in standing:
        return Group(ids, standing[ids], ruling=ChainDecision(str(state), chain.flag, boxes))
    return Group(ids, None, str(state), chain.flag, boxes)


def askable(protocol: Protocol) -> list[str]:
    """Return the stages to which a chain can be sent.

    Stages that only judge new boxes are left out, since there is no new box.
    """
    return [
        str(stage)
        for stage in protocol.decide
        if stage not in protocol.judging or stage == protocol.completing
    ]


def legal_states(boxes: int, members: Sequence[Mention], protocol: Protocol) -> list[str]:
    """Return the states from which a chain of these mentions with so many accepted boxes can go on.

    Box requirement is for chains without boxes. Box coverage, or a check of nothing but whether a box is
    missing, is for chains with boxes.
    """
    unfit: set[str] = {Stage.VERIFICATION} if len(members) < 2 else set()
    unfit.add(Stage.REQUIREMENT if boxes else protocol.completing)
    return [state for state in askable(protocol) if state not in unfit] + [
        DONE if boxes else NONVISUAL,
        REVIEW,
    ]


def going_on(state: str, boxes: int, members: Sequence[Mention], protocol: Protocol) -> str:
    """Return the state from which a chain in `state` goes on with other mentions and its accepted boxes.

    An empty one says that it begins where the protocol opens a chain that is verified.
    """
    if state in legal_states(boxes, members, protocol):
        return state
    return str(protocol.completing) if boxes else ""


def check_state(
    state: str, flag: str, boxes: int, members: Sequence[Mention], protocol: Protocol, field: str = ""
) -> None:
    """Raise DecisionError if the state or its flag does not fit the chain. `field` prefixes their names."""
    legal = legal_states(boxes, members, protocol)
    if state not in legal:
        has = f"{boxes} box{'' if boxes == 1 else 'es'}"
        raise DecisionError(
            f"{field}state",
            f"{state!r} does not fit a chain of {len(members)} mention(s) with {has}: "
            f"use one of {', '.join(legal)}",
        )
    if state == NONVISUAL and flag not in FLAGS:
        raise DecisionError(f"{field}flag", f"must be one of {', '.join(FLAGS)} for a chain without boxes")
    if state != NONVISUAL and flag:
        raise DecisionError(f"{field}flag", f"is only for a chain that is {NONVISUAL}: leave it out")


@dataclass(frozen=True, slots=True)
class KnownBox:
    """An accepted box of a chain with these mentions, and where it comes from."""

    members: frozenset[int]
    box: Box
    source: Source


def name_sources(group: Group, known: Sequence[KnownBox]) -> Group:
    """Return the group with the source of each box that the image has already. Others are of the decision.

    If several chains have an equal box, the one that shares most mentions with the group is taken.
    """
    members = set(group.members)
    taken: set[Source] = set()
    boxes = []
    for decided in group.boxes:
        equal = [one for one in known if one.box == decided.box and one.source not in taken]
        best = max(equal, key=lambda one: len(one.members & members), default=None)
        if best is not None:
            taken.add(best.source)
        boxes.append(DecidedBox(decided.box, best.source if best else None))
    return replace(group, boxes=tuple(boxes))
