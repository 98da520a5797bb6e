"""The protocols, and the stages of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from annotation.domain.answers import JointStage, Stage

PROTOCOL_STAGES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "flickr30k-entities": tuple(map(str, Stage)),
        "entities-fast": tuple(map(str, (Stage.LINK, Stage.VERIFICATION, Stage.REQUIREMENT, *JointStage))),
    }
)
"""The stages of each protocol, in the order of its pipeline. The first protocol is the default."""
DEFAULT_PROTOCOL = next(iter(PROTOCOL_STAGES))
ALL_STAGES: tuple[str, ...] = (*map(str, Stage), *map(str, JointStage))
"""The stages of all protocols, so that later ones of a pipeline come later here."""


def stages_of(protocols: Iterable[str]) -> tuple[str, ...]:
    """Return the stages of these protocols, those that come later in a pipeline later.

    Without a protocol, they are those of the default.
    """
    used = set(protocols) or {DEFAULT_PROTOCOL}
    return tuple(stage for stage in ALL_STAGES if any(stage in PROTOCOL_STAGES[name] for name in used))
