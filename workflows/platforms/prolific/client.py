"""The requests of one account, which `workflows.platforms.calls` logs, paces and repeats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from workflows.platforms.call_rate import Pace
from workflows.platforms.calls import Caller, call
from workflows.platforms.prolific.http import Api, Reply, UnclearError, objects, pages
from workflows.platforms.prolific.replies import word
from workflows.platforms.provider import RefusedError, UnavailableError


@dataclass(slots=True)
class Client:
    """The requests of one account. Operations have the names of Prolific's reference, as `create-study`."""

    caller: Caller
    api: Api
    project: str
    pace: Pace | None = None
    _workspace: str = ""

    def ask(
        self,
        operation: str,
        subject: str,
        method: str,
        path: str,
        *,
        body: Mapping[str, object] | None = None,
        params: Mapping[str, str | int] | None = None,
    ) -> Reply:
        """Send a request that may safely be repeated, and return the reply. Raises ProviderError."""
        return call(
            self.caller,
            operation,
            subject,
            lambda: self.api.ask(method, path, body=body, params=params),
            pace=self.pace,
        )

    def once(
        self,
        operation: str,
        subject: str,
        method: str,
        path: str,
        *,
        body: Mapping[str, object] | None = None,
    ) -> Reply:
        """Send a request that must not be repeated: if its answer is lost, UnavailableError is raised."""
        do = partial(self.api.once, method, path, body=body)
        try:
            return call(self.caller, operation, subject, do, pace=self.pace)
        except UnclearError as error:
            raise UnavailableError(str(error), code=error.code) from error

    def every(
        self, operation: str, subject: str, path: str, params: Mapping[str, str | int] | None = None
    ) -> Iterator[Reply]:
        """Yield all objects of a list, from all of its pages."""
        return pages(partial(self.ask, operation, subject), path, params or {})

    def workspace(self) -> str:
        """Return the id of the project's workspace; without a project, of the account's only workspace.

        Raises RefusedError if there are several.
        """
        if not self._workspace and self.project:
            found = self.ask("get-project", self.project, "GET", f"/projects/{self.project}/")
            self._workspace = word(found, "workspace")
        if not self._workspace:
            all_of_them = objects(self.ask("get-workspaces", "", "GET", "/workspaces/"))
            if len(all_of_them) != 1:
                raise RefusedError(
                    f"The Prolific account has {len(all_of_them)} workspaces: say which project to use in"
                    " GROUNDCREW_PROLIFIC_PROJECT."
                )
            self._workspace = word(all_of_them[0], "id")
        return self._workspace
