"""What `make audit` says of licences and of vulnerabilities. Nothing here asks a registry."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from scripts.audit import (
    ALLOWED,
    FINE,
    FOUND,
    LOCKED,
    PAGES,
    UNKNOWN,
    Answer,
    allowed_licences,
    ask,
    exit_code,
    is_allowed,
    licences,
    npm_licences,
    python_licences,
    read_npm_audit,
    read_pip_audit,
)

MITS = frozenset({"MIT", "ISC", "Apache-2.0"})
NPM = {"vulnerabilities": {}, "metadata": {"dependencies": {"total": 288}}}


def test_every_licence_of_what_is_locked_is_allowed() -> None:
    allowed = allowed_licences(ALLOWED.read_text())
    python, npm = dict(python_licences(LOCKED)), dict(npm_licences(PAGES))
    assert len(python) > 90 and len(npm) > 200, "all that are locked, not only those that we name"
    for answer in (licences("Python", python, allowed), licences("npm", npm, allowed)):
        assert (answer.found, answer.unknown) == ([], [])


def test_no_licence_is_allowed_that_nothing_has() -> None:
    said = " ".join([*dict(python_licences(LOCKED)).values(), *dict(npm_licences(PAGES)).values()])
    assert {one for one in allowed_licences(ALLOWED.read_text()) if one not in said} == set()


@pytest.mark.parametrize(
    ("licence", "expected"),
    [
        ("MIT", True),
        ("GPL-3.0", False),
        ("MIT OR GPL-3.0", True),
        ("MIT AND GPL-3.0", False),
        ("GPL-3.0 AND MIT OR ISC", True),
        ("GPL-3.0 AND (MIT OR ISC)", False),
        ("(MIT OR GPL-3.0) AND (ISC)", True),
        ("GPL-2.0 WITH Classpath-exception-2.0", False),
        ("MIT ISC", False),
        ("(MIT", False),
        ("MIT OR", False),
        ("SEE LICENSE IN license.txt", False),
    ],
)
def test_expressions_of_spdx(licence: str, expected: bool) -> None:
    assert is_allowed(licence, MITS) is expected


def test_what_is_not_known_or_not_allowed_is_named() -> None:
    answer = licences("Python", {"a": "MIT", "b": "", "c": "AGPL-3.0-only"}, MITS)
    assert answer.found == ["b: its licence is not known", "c: AGPL-3.0-only is not allowed"]
    assert exit_code([answer]) == FOUND
    assert exit_code([licences("npm", {}, MITS)]) == UNKNOWN


def test_a_package_that_is_not_installed_has_no_known_licence(tmp_path: Path) -> None:
    locked = tmp_path / "requirements.txt"
    locked.write_text(
        "# a comment\n"
        "no-such-package==1.0 \\\n    --hash=sha256:00\n"
        "only-elsewhere==1.0 ; sys_platform == 'plan9' \\\n    --hash=sha256:00\n"
    )
    assert dict(python_licences(locked)) == {"no-such-package": ""}


def test_licences_of_npm_come_from_what_is_installed_and_else_from_the_lock(tmp_path: Path) -> None:
    packages = {
        "": {"license": "Apache-2.0"},
        "node_modules/a": {"license": "MIT"},
        "node_modules/b": {"license": "MIT"},
        "node_modules/b/node_modules/@c/d": {},
    }
    (tmp_path / "package-lock.json").write_text(json.dumps({"packages": packages}))
    (tmp_path / "node_modules" / "a").mkdir(parents=True)
    (tmp_path / "node_modules" / "a" / "package.json").write_text('{"license": {"type": "GPL-3.0"}}')
    assert dict(npm_licences(tmp_path)) == {"a": "GPL-3.0", "b": "MIT", "b/node_modules/@c/d": ""}


def test_a_page_without_the_list_is_an_error() -> None:
    with pytest.raises(LookupError):
        allowed_licences("# Dependencies\n\n## Allowed licences\n\nNone.\n\n## Other\n\n`MIT`\n")


def answered(said: object, read: Any = read_pip_audit, *, code: int = 0) -> Answer:
    script = "import sys; print(sys.argv[1]); sys.exit(int(sys.argv[2]))"
    text = said if isinstance(said, str) else json.dumps(said)
    return ask("vulnerabilities", [sys.executable, "-c", script, text, str(code)], read)


def test_vulnerabilities_are_named_with_the_version_that_mends_them() -> None:
    vulnerable = {"name": "a", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}]}
    answer = answered({"dependencies": [vulnerable]}, code=1)
    assert answer.found == ["a 1.0: PYSEC-1, mended in 1.1"]
    npm = NPM | {"vulnerabilities": {"b": {"severity": "high", "range": "<2"}}}
    assert answered(npm, read_npm_audit, code=1).found == ["b: high (<2)"]


def test_nothing_found_is_fine_only_if_everything_was_asked() -> None:
    clean = {"name": "a", "version": "1.0", "vulns": []}
    fine = answered({"dependencies": [clean]})
    assert (exit_code([fine]), exit_code([answered(NPM, read_npm_audit)])) == (FINE, FINE)
    skipped = answered({"dependencies": [clean, {"name": "b", "skip_reason": "not found on PyPI"}]})
    assert skipped.unknown == ["PyPI did not answer about 1 of 2: b"]
    assert exit_code([fine, skipped]) == UNKNOWN


@pytest.mark.parametrize(
    "said",
    [
        *("", "not json", "[]", "null", {}, {"dependencies": []}, {"dependencies": None}),
        *({"message": "request to https://registry failed"}, {"error": {"code": "ENOTFOUND"}}),
    ],
)
@pytest.mark.parametrize("read", [read_pip_audit, read_npm_audit])
@pytest.mark.parametrize("code", [0, 1])
def test_no_answer_is_unknown_and_never_fine(said: object, read: Any, code: int) -> None:
    assert exit_code([answered(said, read, code=code)]) == UNKNOWN


def test_an_error_with_a_clean_report_is_unknown() -> None:
    assert exit_code([answered(NPM, read_npm_audit, code=1)]) == UNKNOWN


def test_a_program_that_is_away_is_unknown() -> None:
    answer = ask("vulnerabilities", ["/no/such/pip-audit"], read_pip_audit)
    assert exit_code([answer]) == UNKNOWN and "pip-audit could not be run" in answer.unknown[0]


def test_what_was_found_counts_before_what_is_unknown() -> None:
    assert exit_code([Answer("a", unknown=["no answer"]), Answer("b", found=["PYSEC-1"])]) == FOUND
