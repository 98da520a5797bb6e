"""Messages to participants. Prolific wants each to be about a study: the latest in which they took part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from workflows.platforms.prolific.client import Client
from workflows.platforms.prolific.replies import word
from workflows.platforms.provider import ProviderError, Published, UnreadError

MAX_STUDIES = 200  # how many of the latest studies are searched for a participant


@dataclass(slots=True)
class Messages:
    """The messages of one account."""

    client: Client

    def send(self, workers: Sequence[str], text: str, studies: Iterator[Published]) -> list[str]:
        """Write to each of `workers` once; return those who were not reached or took part in no study.

        `studies` come newest first. A request is not repeated: the participant would get the message twice.
        """
        about = self._about(set(workers), studies)
        missed: list[str] = []
        for worker in dict.fromkeys(workers):
            body = {"recipient_id": worker, "body": text, "study_id": about.get(worker, "")}
            try:
                if worker in about:
                    self.client.once("send-message", worker, "POST", "/messages/", body=body)
                else:
                    missed.append(worker)
            except ProviderError:
                missed.append(worker)
        return missed

    def _about(self, workers: set[str], studies: Iterator[Published]) -> dict[str, str]:
        found: dict[str, str] = {}
        with suppress(UnreadError):  # participants of the other studies can be written to
            for _, study in zip(range(MAX_STUDIES), studies, strict=False):
                if workers <= found.keys():
                    break
                params = {"study": study.external_id}
                for one in self.client.every("get-submissions", study.external_id, "/submissions/", params):
                    worker = word(one, "participant_id")
                    if worker in workers:
                        found.setdefault(worker, study.external_id)
        return found
