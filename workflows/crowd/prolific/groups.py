"""Participant groups: our qualifications on Prolific, and the list of those who are kept out.

A study looks at its groups as long as it can be taken: who is added or removed later counts, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from workflows.crowd.prolific.client import Asking
from workflows.crowd.prolific.http import objects
from workflows.crowd.prolific.replies import word
from workflows.crowd.provider import UnknownObjectError

BLOCKED = "Groundcrew: blocked"


@dataclass(slots=True)
class Groups:
    asking: Asking
    _known: dict[str, str] = field(default_factory=dict)

    def make(self, name: str, description: str) -> str:
        """The id of the group of this name in the workspace."""
        if name not in self._known:
            self._known[name] = self._find(name) or self._create(name, description)
        return self._known[name]

    def blocked(self) -> str:
        """Prolific cannot block a participant from all studies: every study of ours keeps these out."""
        return self.make(BLOCKED, "Participants who see no study of this installation.")

    def forget(self, group_id: str) -> None:
        """It is looked for again, and made where it was deleted."""
        for name in [name for name, known in self._known.items() if known == group_id]:
            self._known.pop(name, None)

    def block(self, participant: str) -> None:
        group_id = self.blocked()
        try:
            self.add(group_id, participant)
        except UnknownObjectError:
            self.forget(group_id)
            self.add(self.blocked(), participant)

    def unblock(self, participant: str) -> None:
        """Nobody is in a group that was deleted."""
        group_id = self.blocked()
        try:
            self.remove(group_id, participant)
        except UnknownObjectError:
            self.forget(group_id)

    def add(self, group_id: str, participant: str) -> None:
        path, body = self._members(group_id), {"participant_ids": [participant]}
        self.asking.ask("add-to-participant-group", group_id, "POST", path, body=body)

    def remove(self, group_id: str, participant: str) -> None:
        path, body = self._members(group_id), {"participant_ids": [participant]}
        self.asking.ask("remove-from-participant-group", group_id, "DELETE", path, body=body)

    def members(self, group_id: str) -> Iterator[str]:
        found = self.asking.ask(
            "get-participant-group-participants", group_id, "GET", self._members(group_id)
        )
        for one in objects(found):
            yield word(one, "participant_id")

    def _find(self, name: str) -> str | None:
        """Of several of this name the first that was made, so that two processes agree."""
        params: dict[str, str | int] = {"workspace_id": self.asking.workspace(), "active": "true"}
        found = [
            word(one, "id")
            for one in self.asking.every("get-participant-groups", "", "/participant-groups/", params)
            if one.get("name") == name and not one.get("is_deleted")
        ]
        return min(found, default=None)

    def _create(self, name: str, description: str) -> str:
        body = {"workspace_id": self.asking.workspace(), "name": name, "description": description}
        made = self.asking.once(
            "create-participant-group", name[:128], "POST", "/participant-groups/", body=body
        )
        return self._find(name) or word(made, "id")

    @staticmethod
    def _members(group_id: str) -> str:
        return f"/participant-groups/{group_id}/participants/"
