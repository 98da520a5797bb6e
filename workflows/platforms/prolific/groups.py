"""Participant groups: they serve as our qualifications on Prolific, and as the list of blocked workers.

While a study is open, Prolific looks at its groups: people who are added or removed later count, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from workflows.platforms.prolific.client import Client
from workflows.platforms.prolific.http import objects
from workflows.platforms.prolific.replies import word
from workflows.platforms.provider import UnknownObjectError

BLOCKED = "Groundcrew: blocked"  # the name of a group


@dataclass(slots=True)
class Groups:
    """The participant groups of one account's workspace."""

    client: Client
    _known: dict[str, str] = field(default_factory=dict)

    def make(self, name: str, description: str) -> str:
        """Return the id of the group of this name in the workspace; make it if there is none."""
        if name not in self._known:
            self._known[name] = self._find(name) or self._create(name, description)
        return self._known[name]

    def blocked(self) -> str:
        """Return the id of the group of blocked workers.

        Prolific cannot block a participant from all studies, so each study of ours keeps this group out.
        """
        return self.make(BLOCKED, "Participants who see no study of this installation.")

    def forget(self, group_id: str) -> None:
        """Forget a group's id, so that the group is looked for again, and made again if it was deleted."""
        for name in [name for name, known in self._known.items() if known == group_id]:
            self._known.pop(name, None)

    def block(self, participant: str) -> None:
        """Add a participant to the group of blocked workers."""
        group_id = self.blocked()
        try:
            self.add(group_id, participant)
        except UnknownObjectError:
            self.forget(group_id)
            self.add(self.blocked(), participant)

    def unblock(self, participant: str) -> None:
        """Remove a participant from the group of blocked workers; nothing to do if it was deleted."""
        group_id = self.blocked()
        try:
            self.remove(group_id, participant)
        except UnknownObjectError:
            self.forget(group_id)

    def add(self, group_id: str, participant: str) -> None:
        """Add a participant to a group. Raises UnknownObjectError if the group was deleted."""
        path, body = self._members(group_id), {"participant_ids": [participant]}
        self.client.ask("add-to-participant-group", group_id, "POST", path, body=body)

    def remove(self, group_id: str, participant: str) -> None:
        """Remove a participant from a group. Raises UnknownObjectError if the group was deleted."""
        path, body = self._members(group_id), {"participant_ids": [participant]}
        self.client.ask("remove-from-participant-group", group_id, "DELETE", path, body=body)

    def members(self, group_id: str) -> Iterator[str]:
        """Yield the ids of a group's participants."""
        found = self.client.ask(
            "get-participant-group-participants", group_id, "GET", self._members(group_id)
        )
        for one in objects(found):
            yield word(one, "participant_id")

    def _find(self, name: str) -> str | None:
        """Return the group of this name; of several the one that was made first, so that processes agree."""
        params: dict[str, str | int] = {"workspace_id": self.client.workspace(), "active": "true"}
        found = [
            word(one, "id")
            for one in self.client.every("get-participant-groups", "", "/participant-groups/", params)
            if one.get("name") == name and not one.get("is_deleted")
        ]
        return min(found, default=None)

    def _create(self, name: str, description: str) -> str:
        body = {"workspace_id": self.client.workspace(), "name": name, "description": description}
        made = self.client.once(
            "create-participant-group", name[:128], "POST", "/participant-groups/", body=body
        )
        return self._find(name) or word(made, "id")

    @staticmethod
    def _members(group_id: str) -> str:
        return f"/participant-groups/{group_id}/participants/"
