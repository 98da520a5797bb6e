"""Messages to participants, each about a study: the last that they took part in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from workflows.crowd.prolific.client import Asking
from workflows.crowd.prolific.replies import word
from workflows.crowd.provider import ProviderError, Published, UnreadError

MOST_STUDIES = 200  # of the latest, that are looked through for a participant


@dataclass(slots=True)
class Messages:
    asking: Asking

    def send(self, workers: Sequence[str], text: str, studies: Iterator[Published]) -> list[str]:
        """Each of `workers` once; returns those who took part in none of `studies`, or who were not reached.

        Asked once each: a participant would read it as often as it is asked.
        """
        about = self._about(set(workers), studies)
        missed: list[str] = []
        for worker in dict.fromkeys(workers):
            body = {"recipient_id": worker, "body": text, "study_id": about.get(worker, "")}
            try:
                if worker in about:
                    self.asking.once("send-message", worker, "POST", "/messages/", body=body)
                else:
                    missed.append(worker)
            except ProviderError:
                missed.append(worker)
        return missed

    def _about(self, workers: set[str], studies: Iterator[Published]) -> dict[str, str]:
        found: dict[str, str] = {}
        with suppress(UnreadError):  # who took part in another is written to all the same
            for _, study in zip(range(MOST_STUDIES), studies, strict=False):
                if workers <= found.keys():
                    break
                params = {"study": study.external_id}
                for one in self.asking.every("get-submissions", study.external_id, "/submissions/", params):
                    worker = word(one, "participant_id")
                    if worker in workers:
                        found.setdefault(worker, study.external_id)
        return found
