"""Request tokens. A call with a token that was used within a day is refused, and names what it made then."""

from __future__ import annotations

from simulation.emulators.mturk.world import World

KEPT = 86_400  # seconds


def seen(world: World, kind: str, token: str) -> str | None:
    """Return the id of what was made with the token within a day, or None."""
    found = world.state.tokens.get(f"{kind}:{token}") if token else None
    return found[1] if found and found[0] + KEPT > world.now() else None


def remember(world: World, kind: str, token: str, made: str) -> None:
    if token:
        world.state.tokens[f"{kind}:{token}"] = (world.now(), made)
