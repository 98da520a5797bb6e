"""Publications on Prolific are studies: each is made as a draft, which costs nothing, and then published."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace

from workflows.platforms.calls import first_tried
from workflows.platforms.prolific.client import Client
from workflows.platforms.prolific.completion_codes import completion_code, screen_out_code
from workflows.platforms.prolific.domain.countries import LocaleError, choices_of
from workflows.platforms.prolific.groups import Groups
from workflows.platforms.prolific.http import Reply
from workflows.platforms.prolific.payloads import Filter, extension_mark, filters_of, study_of
from workflows.platforms.prolific.replies import (
    PAUSED,
    at_work,
    is_draft,
    life_of,
    published,
    token_of,
    whole,
    word,
)
from workflows.platforms.provider import (
    Life,
    Order,
    ProviderError,
    Published,
    RefusedError,
    UnavailableError,
    UnknownObjectError,
    UnreadError,
)

CREATE = "create-study"
RESIDENCE = "current-country-of-residence"
UNANSWERED = 3
"""After so many studies in a row without counts, Prolific is away and the list breaks off [ours]."""

NAMED = 5
"""So many unreadable studies are named in an error."""

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Studies:
    """The studies of one account, whose money is in `currency`."""

    client: Client
    groups: Groups
    currency: str

    def publish(self, order: Order) -> Published:
        """Publish an order, unless a study has its token already.

        Prolific knows no tokens. Ours is in the study's internal name, and we look for it if an earlier call
        may have made the study.
        """
        if order.reward.currency != self.currency:
            raise RefusedError(
                f"The Prolific account pays in {self.currency}, the batch in {order.reward.currency}."
                " Set GROUNDCREW_PROLIFIC_CURRENCY to the account's currency."
            )
        tried_at = first_tried(self.client.caller, CREATE, order.token)
        study = (self._of_token(order.token) if tried_at else None) or self._draft(order)
        if is_draft(study):
            study = self._publish(word(study, "id"), order.token)
        return self._published(study)

    def find(self, token: str) -> Published | None:
        """Return the published study with this token. A draft does not count: `publish` goes on with it."""
        study = self._of_token(token)
        return None if study is None or is_draft(study) else self._published(self._study(word(study, "id")))

    def look(self, study_id: str) -> Published | None:
        """Return the study as it is now; None if Prolific has no such study."""
        try:
            return self._published(self._study(study_id))
        except UnknownObjectError:
            return None

    def every(self) -> Iterator[Published]:
        """Yield all studies except drafts. For studies of ours it is asked how many are at work.

        A study that cannot be read is left out; if it is ours, an UnreadError at the end says so. If Prolific
        does not tell how many are at work on a study, everybody who took a place counts, so that it is looked
        at by itself. If that happens UNANSWERED times in a row, Prolific is away and the list breaks off.
        """
        unanswered = 0
        unread: list[tuple[str, str]] = []
        for study in self._list():
            try:
                if is_draft(study):
                    continue
                one = published(study, working=0, currency=self.currency)
            except UnavailableError as error:
                if token := token_of(study):
                    name = str(study.get("id") or "")
                    unread.append((name, token))
                    logger.warning("%s: its entry in the list cannot be read: %s", name or token, error)
                continue
            if _may_have_workers(study):
                try:
                    one = replace(one, working=self._working(study))
                    unanswered = 0
                except ProviderError as error:
                    unanswered = unanswered + 1 if isinstance(error, UnavailableError) else 0
                    if unanswered >= UNANSWERED:
                        raise
                    logger.warning("%s: who is at work is not told: %s", one.external_id, error)
                    one = replace(one, working=whole(study, "places_taken"))
            yield one
        if unread:
            names = ", ".join(name or token for name, token in unread[:NAMED])
            raise UnreadError(f"Prolific's list has studies that cannot be read: {names}.", unread=unread)

    def extend(self, study_id: str, *, more: int, token: str) -> None:
        """Add places. The token's mark in the internal name, set in the same call, says that it was done."""
        study = self._study(study_id)
        mark = extension_mark(token)
        name = str(study.get("internal_name") or "")
        if mark in name.split():
            return
        if life_of(study) != Life.OPEN:
            raise RefusedError("The study is closed: more places would open it again.")
        if word(study, "status") == PAUSED:
            raise RefusedError("The study is paused: more places could start it again.")
        places = whole(study, "total_available_places") + more
        body = {"internal_name": f"{name} {mark}", "total_available_places": places}
        self.client.ask("update-study", study_id, "PATCH", f"/studies/{study_id}/", body=body)

    def expire(self, study_id: str) -> None:
        """Stop a study, or delete a draft; whoever is at work can still submit."""
        study = self._study(study_id)
        if is_draft(study):
            self.client.ask("delete-study", study_id, "DELETE", f"/studies/{study_id}/")
        elif life_of(study) == Life.OPEN:
            try:
                self._transition(study_id, study_id, "STOP")
            except RefusedError:
                if life_of(self._study(study_id)) == Life.OPEN:
                    raise

    def _draft(self, order: Order) -> Reply:
        """Make a draft; try again if the group of blocked workers has been replaced since we saw it."""
        blocked = self.groups.blocked()
        try:
            return self._create(order, blocked)
        except RefusedError:
            self.groups.forget(blocked)
            found = self.groups.blocked()
            if found == blocked:
                raise
            return self._create(order, found)

    def _create(self, order: Order, blocked: str) -> Reply:
        body = study_of(
            order,
            code=completion_code(order.token),
            screen_out_code=screen_out_code(order.token),
            filters=self._filters(order, blocked),
            project=self.client.project,
        )
        return self.client.once(CREATE, order.token, "POST", "/studies/", body=body)

    def _publish(self, study_id: str, token: str) -> Reply:
        try:
            return self._transition(study_id, token, "PUBLISH")
        except RefusedError:
            study = self._study(study_id)  # published already, where an answer was lost
            if is_draft(study):
                raise
            return study

    def _transition(self, study_id: str, subject: str, action: str) -> Reply:
        path = f"/studies/{study_id}/transition/"
        return self.client.ask("publish-study", subject, "POST", path, body={"action": action})

    def _filters(self, order: Order, blocked: str) -> list[Filter]:
        wanted = order.requirements
        countries: list[str] = []
        if wanted.locales:
            try:
                countries = choices_of(wanted.locales, self._countries())
            except LocaleError as error:
                raise RefusedError(str(error)) from error
        return filters_of(
            completed=wanted.completed,
            approval=wanted.approval,
            countries=countries,
            holding=wanted.holding,
            lacking=(*wanted.lacking, blocked),
        )

    def _countries(self) -> dict[str, str]:
        for one in self.client.every("get-filters", "", "/filters/"):
            if one.get("filter_id") == RESIDENCE and isinstance(one.get("choices"), dict):
                return {str(number): str(name) for number, name in one["choices"].items()}
        raise RefusedError("Prolific has no filter for the country of residence; leave crowd.locales empty.")

    def _of_token(self, token: str) -> Reply | None:
        """Return the study with this token: a published one before a draft, then the one made first."""
        found = [study for study in self._list() if token_of(study) == token]
        return min(found, key=lambda study: (is_draft(study), word(study, "id")), default=None)

    def _list(self) -> Iterator[Reply]:
        project = self.client.project
        path = f"/projects/{project}/studies/" if project else "/studies/"
        return self.client.every("get-studies", project, path, {"ordering": "-date_created"})

    def _study(self, study_id: str) -> Reply:
        return self.client.ask("get-study", study_id, "GET", f"/studies/{study_id}/")

    def _published(self, study: Reply) -> Published:
        working = self._working(study) if _may_have_workers(study) else 0
        return published(study, working=working, currency=self.currency)

    def _working(self, study: Reply) -> int:
        study_id = word(study, "id")
        path = f"/studies/{study_id}/submissions/counts/"
        return at_work(self.client.ask("count-study-submissions-by-status", study_id, "GET", path))


def _may_have_workers(study: Reply) -> bool:
    return bool(study.get("places_taken") and token_of(study))
