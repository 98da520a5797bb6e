"""Accessibility, as axe-core tests it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from playwright.sync_api import Page

from tests.shared import ROOT

SOURCE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
GRAVE = ("critical", "serious")
RUN = """([context, rules, without]) => axe.run(context ?? document, {
  resultTypes: ['violations'],
  rules: Object.fromEntries(without.map((rule) => [rule, {enabled: false}])),
  ...(rules.length ? {runOnly: rules} : {}),
})"""
COLOURS = ("color-contrast",)
"""The rule whose outcome depends on colours."""


@cache
def _source() -> str:
    return SOURCE.read_text(encoding="utf-8")


def check_accessible(
    page: Page, part: str | None = None, rules: Sequence[str] = (), without: Sequence[str] = ()
) -> None:
    """Fail if axe finds something serious or critical by these rules, or by any, `without` some.

    It looks at the page, or at the `part` that a CSS selector names.
    """
    # The page's Content Security Policy does not apply to what the tools evaluate.
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(_source())
    found = page.evaluate(RUN, [part, list(rules), list(without)])
    grave = [violation for violation in found["violations"] if violation["impact"] in GRAVE]
    assert not grave, f"{page.url}\n" + "\n".join(map(_told, grave))


def _told(violation: dict[str, Any]) -> str:
    places = [
        f"    {' '.join(map(str, node['target']))}\n      {node['failureSummary']}"
        for node in violation["nodes"]
    ]
    return "\n".join([f"{violation['impact']}: {violation['help']} ({violation['id']})", *places])
