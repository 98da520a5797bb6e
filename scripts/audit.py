"""Checks the locked dependencies: `make audit`.

It asks PyPI and npm's registry, through pip-audit and `npm audit`, which of them have known vulnerabilities.
It reads the licence of each from what is installed, and compares it with those that docs/dependencies.md
allows. The exit code is 0 if nothing is found, 1 if something is, and 3 if nothing is found but somebody did
not answer: then it is not known whether there is anything.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
LOCKED = ROOT / "requirements-dev.txt"  # it has those of requirements.txt, too
PAGES = ROOT / "frontend"
ALLOWED = ROOT / "docs" / "dependencies.md"
PIP_AUDIT = ROOT / ".venv-audit" / "bin" / "pip-audit"
FINE, FOUND, UNKNOWN = 0, 1, 3
SECONDS = 300

SPELLED = {
    **dict.fromkeys(
        ("BSD", "BSD License", "New BSD", "3-Clause BSD License"), "BSD-2-Clause OR BSD-3-Clause"
    ),
    **dict.fromkeys(("BSD 2-Clause License", "FreeBSD"), "BSD-2-Clause"),
    "pytest-django is released under the BSD (3-clause) license": "BSD-3-Clause",
    "BSD 3-Clause OR Apache-2.0": "BSD-3-Clause OR Apache-2.0",
    "MIT License": "MIT",
    **dict.fromkeys(
        ("Apache 2", "Apache 2.0", "Apache License 2.0", "Apache Software License"), "Apache-2.0"
    ),
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    **dict.fromkeys(("PSFL", "Python Software Foundation License"), "PSF-2.0"),
    "GNU LGPL v3+": "LGPL-3.0-or-later",
    "LGPL with exceptions": "LGPL-3.0-or-later",  # the exceptions only allow more
}
"""SPDX expressions of what packages say in other words."""


@dataclass
class Answer:
    """What one question came to."""

    asked: str
    found: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


def main() -> int:
    """Print what was found, and return the exit code."""
    allowed = allowed_licences(ALLOWED.read_text(encoding="utf-8"))
    answers = [
        licences("licences of Python packages", dict(python_licences(LOCKED)), allowed),
        licences("licences of npm packages", dict(npm_licences(PAGES)), allowed),
        ask("vulnerabilities of Python packages", pip_audit(), read_pip_audit),
        ask("vulnerabilities of npm packages", ["npm", "audit", "--json"], read_npm_audit),
    ]
    for answer in answers:
        state = "found" if answer.found else "UNKNOWN" if answer.unknown else "fine"
        print(f"{answer.asked}: {state}")
        for line in (*answer.found, *answer.unknown):
            print(f"  {line}")
    return exit_code(answers)


def exit_code(answers: Collection[Answer]) -> int:
    if any(answer.found for answer in answers):
        return FOUND
    return UNKNOWN if any(answer.unknown for answer in answers) else FINE


# Licences ---------------------------------------------------------------------------------------------------


def allowed_licences(page: str) -> frozenset[str]:
    """Return the licences that the page allows. Raise LookupError if it does not say."""
    section = re.search(r"^## Allowed licences\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    found = frozenset(re.findall(r"`([A-Za-z0-9][\w.+-]*)`", section[1])) if section else frozenset[str]()
    if not found:
        raise LookupError("docs/dependencies.md has no section `Allowed licences` that names any")
    return found


def licences(asked: str, of: Mapping[str, str], allowed: Collection[str]) -> Answer:
    """Compare the licence of each package, an SPDX expression or "", with those that are allowed."""
    answer = Answer(asked)
    if not of:
        answer.unknown.append("no package is installed")
    for name, licence in sorted(of.items()):
        if not licence:
            answer.found.append(f"{name}: its licence is not known")
        elif not is_allowed(licence, allowed):
            answer.found.append(f"{name}: {licence} is not allowed")
    return answer


def is_allowed(licence: str, allowed: Collection[str]) -> bool:
    """Return whether an SPDX expression is met by allowed licences. One that cannot be read is not."""
    words = re.findall(r"\(|\)|[^\s()]+", licence)
    words.reverse()

    def either() -> bool:
        met = both()
        while words and words[-1] == "OR":
            words.pop()
            met = both() or met
        return met

    def both() -> bool:
        met = one()
        while words and words[-1] == "AND":
            words.pop()
            met = one() and met
        return met

    def one() -> bool:
        word = words.pop()
        if word != "(":
            return word in allowed
        met = either()
        return words.pop() == ")" and met

    try:
        met = either()
    except IndexError:
        return False
    return met and not words


def python_licences(locked: Path) -> Iterator[tuple[str, str]]:
    """Yield each locked package of this platform, and its licence or ""."""
    for line in locked.read_text(encoding="utf-8").splitlines():
        if not re.match(r"[A-Za-z0-9]", line):
            continue
        wanted = Requirement(line.removesuffix("\\").strip())
        if wanted.marker is None or wanted.marker.evaluate():
            yield wanted.name, python_licence(wanted.name)


def python_licence(name: str) -> str:
    """Return the licence that an installed package states, as an SPDX expression, or ""."""
    try:
        said = metadata(name)
    except PackageNotFoundError:
        return ""
    if "License-Expression" in said:
        return said["License-Expression"]
    lines = said["License"].strip().splitlines() if "License" in said else []
    if len(lines) == 1 and lines[0] != "Dual License":
        return SPELLED.get(lines[0], lines[0])
    classified = [one for one in said.get_all("Classifier") or [] if one.startswith("License ::")]
    return " OR ".join(
        f"({SPELLED.get(word, word)})" for word in (one.split(" :: ")[-1] for one in classified)
    )


def npm_licences(pages: Path) -> Iterator[tuple[str, str]]:
    """Yield each locked package, and its licence or "". The lock says it of those for other platforms."""
    locked = json.loads((pages / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    for place, said in locked.items():
        if not place:
            continue  # the pages themselves
        installed = pages / place / "package.json"
        if installed.is_file():
            said = json.loads(installed.read_text(encoding="utf-8"))
        licence = said.get("license") or ""
        named = licence.get("type", "") if isinstance(licence, dict) else str(licence)
        yield place.removeprefix("node_modules/"), named


# Vulnerabilities --------------------------------------------------------------------------------------------


def pip_audit() -> list[str]:
    """Return the command that asks PyPI about every locked package."""
    return [
        *(str(PIP_AUDIT), "--requirement", str(LOCKED), "--disable-pip", "--require-hashes"),
        *("--format", "json", "--progress-spinner", "off"),
    ]


def ask(asked: str, command: list[str], read: Callable[[str], Answer]) -> Answer:
    """Run a command, and return what it found. Whatever goes wrong is unknown, never fine."""
    try:
        done = subprocess.run(
            command, cwd=PAGES, capture_output=True, text=True, check=False, timeout=SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Answer(asked, unknown=[f"{Path(command[0]).name} could not be run: {error}"])
    try:
        answer = read(done.stdout)
    except (ValueError, LookupError, TypeError, AttributeError):
        said = (done.stderr or done.stdout).strip().splitlines()
        why = " ".join(said)[:300] if said else f"exit code {done.returncode}"
        return Answer(asked, unknown=[f"{Path(command[0]).name} got no answer: {why}"])
    if done.returncode and not answer.found and not answer.unknown:
        answer.unknown.append(f"{Path(command[0]).name} failed with exit code {done.returncode}")
    answer.asked = asked
    return answer


def read_pip_audit(said: str) -> Answer:
    """Read pip-audit's JSON. Raise ValueError or LookupError if it is no report."""
    answer = Answer("")
    packages: list[dict[str, Any]] = json.loads(said)["dependencies"]
    if not packages:
        raise LookupError("a report about nothing")
    if skipped := [package["name"] for package in packages if "skip_reason" in package]:
        answer.unknown.append(
            f"PyPI did not answer about {len(skipped)} of {len(packages)}: {', '.join(skipped)}"
        )
    for package in packages:
        for one in package.get("vulns", ()):
            mended = ", ".join(one.get("fix_versions") or ["no version"])
            answer.found.append(f"{package['name']} {package['version']}: {one['id']}, mended in {mended}")
    return answer


def read_npm_audit(said: str) -> Answer:
    """Read npm's JSON. Raise ValueError or LookupError if it is no report, as when the registry is away."""
    report: dict[str, Any] = json.loads(said)
    if not report["metadata"]["dependencies"]["total"]:
        raise LookupError("a report about nothing")
    return Answer(
        "", [f"{name}: {one['severity']} ({one['range']})" for name, one in report["vulnerabilities"].items()]
    )


if __name__ == "__main__":
    sys.exit(main())
