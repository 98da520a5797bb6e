"""Workers on Mechanical Turk: their qualifications, messages to them, and blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workflows.platforms.mturk.client import Requester
from workflows.platforms.mturk.errors import NOT_HELD
from workflows.platforms.provider import RefusedError

AT_ONCE = 100  # workers of one NotifyWorkers
MAX_SUBJECT, MAX_TEXT = 200, 4096  # characters
MAX_NAME, MAX_DESCRIPTION, MAX_REASON = 200, 2000, 1024


class Workers(Requester):
    """The part of MTurk that deals with workers."""

    def make_qualification(self, name: str, description: str) -> str:
        """Return the id of the qualification type of this name; names are unique, so no token is needed."""
        name = name[:MAX_NAME]
        found = self._qualification(name)
        if found is not None:
            return found
        try:
            reply = self.ask(
                "CreateQualificationType",
                name,
                Name=name,
                Description=description[:MAX_DESCRIPTION],
                QualificationTypeStatus="Active",
            )
        except RefusedError:
            found = self._qualification(name)
            if found is None:
                raise
            return found
        made: str = reply["QualificationType"]["QualificationTypeId"]
        return made

    def grant(self, qualification_id: str, worker: str, *, value: int = 1) -> None:
        self.ask(
            "AssociateQualificationWithWorker",
            worker,
            QualificationTypeId=qualification_id,
            WorkerId=worker,
            IntegerValue=value,
            SendNotification=False,
        )

    def revoke(self, qualification_id: str, worker: str, *, reason: str = "") -> None:
        optional = {"Reason": reason[:MAX_REASON]} if reason else {}
        try:
            self.ask(
                "DisassociateQualificationFromWorker",
                worker,
                QualificationTypeId=qualification_id,
                WorkerId=worker,
                **optional,
            )
        except RefusedError as error:
            if error.code not in NOT_HELD:
                raise

    def holders(self, qualification_id: str) -> Iterator[str]:
        held = self.pages(
            "ListWorkersWithQualificationType",
            "Qualifications",
            qualification_id,
            QualificationTypeId=qualification_id,
            Status="Granted",
        )
        return (one["WorkerId"] for one in held)

    def message(self, workers: Sequence[str], *, subject: str, text: str) -> list[str]:
        missed: list[str] = []
        for start in range(0, len(workers), AT_ONCE):
            some = list(workers[start : start + AT_ONCE])
            reply = self.ask(
                "NotifyWorkers",
                f"{len(some)} workers",
                Subject=subject[:MAX_SUBJECT],
                MessageText=text[:MAX_TEXT],
                WorkerIds=some,
            )
            missed += [one["WorkerId"] for one in reply.get("NotifyWorkersFailureStatuses", ())]
        return missed

    def block(self, worker: str, *, reason: str) -> None:
        self.ask("CreateWorkerBlock", worker, WorkerId=worker, Reason=reason)

    def unblock(self, worker: str, *, reason: str) -> None:
        self.ask("DeleteWorkerBlock", worker, WorkerId=worker, Reason=reason)

    def _qualification(self, name: str) -> str | None:
        listed = self.pages(
            "ListQualificationTypes",
            "QualificationTypes",
            name,
            Query=name,
            MustBeRequestable=False,
            MustBeOwnedByCaller=True,
        )
        return next((one["QualificationTypeId"] for one in listed if one.get("Name") == name), None)
