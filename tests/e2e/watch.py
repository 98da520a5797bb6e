"""No fault stays unseen: if a page reports anything, or asks another host for something, its test fails."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, WebError

# Chromium reports violations on the console as well, but some only if its developer tools are open.
TELL_OF_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`CSP: ${event.effectiveDirective} forbids ${event.blockedURI}`));
"""


class Watch:
    """What went wrong in the contexts it is attached to."""

    def __init__(self) -> None:
        self.troubles: list[str] = []
        self.hosts = {"127.0.0.1"}
        """The hosts that may be asked.

        The browser resolves no name except localhost, so it reaches no other.
        """
        self._allowed: list[re.Pattern[str]] = []

    def allow(self, *patterns: str) -> None:
        """Expect messages that match these regular expressions, for example while a test cuts the network."""
        self._allowed += [re.compile(pattern) for pattern in patterns]

    def attach(self, context: BrowserContext) -> None:
        context.add_init_script(TELL_OF_VIOLATIONS)
        context.on("console", self._on_console)
        context.on("weberror", self._on_error)
        context.on("request", self._on_request)

    def unexpected(self) -> list[str]:
        """Return what went wrong that nobody expected."""
        return [text for text in self.troubles if not any(p.search(text) for p in self._allowed)]

    def check(self) -> None:
        """Fail if anything went wrong that no test expected."""
        unexpected = self.unexpected()
        assert not unexpected, "The page is not well:\n" + "\n".join(unexpected)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            place = message.location
            self.troubles.append(f"console: {message.text} ({place['url']}:{place['lineNumber']})")

    def _on_error(self, error: WebError) -> None:
        self.troubles.append(f"uncaught: {error.error.stack or error.error.message}")

    def _on_request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("blob", "about") and parts.hostname not in self.hosts:
            self.troubles.append(f"request: {request.url[:200]}")
