"""Install a chart with Helm's own library, in a process of its own: that library is a whole Go program.

`python -m tests.helm` reads a request as JSON and prints what came out. `make chart-tools` gets the library.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml

from config.settings import BASE_DIR
from tests.kubernetes_api import running_cluster

TOOLS = BASE_DIR / ".chart-tools"
CHART = BASE_DIR / "deploy" / "helm"
LACKING = "Helm's library is missing, so the chart in deploy/helm is not tried: run `make chart-tools`"
OLDEST = "1.25"
SECONDS = 30
Objects = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Installed:
    """What Helm said and did. `error` is its message if it refused, else empty."""

    error: str
    objects: Objects  # all that were made, as they were in the end
    done: list[str]  # in this order
    invalid: list[str]  # of which a version of Kubernetes would not take something


def install(
    *, then: dict[str, Any] | None = None, failing_jobs: Collection[int] = (), **values: Any
) -> Installed:
    """Install the chart with these values, and upgrade it to the values `then` if there are some."""
    if not (TOOLS / "helm_sdkpy").is_dir():
        pytest.skip(LACKING)
    with running_cluster(failing_jobs=failing_jobs) as cluster:
        asked = {"kubeconfig": cluster.kubeconfig, "values": values, "then": then}
        found = _run("install", asked)
        objects = [one for _, one in sorted(cluster.made.items())]
        invalid = [] if found["error"] else _run("validate", objects)["invalid"]
        return Installed(found["error"], objects, cluster.done, invalid)


def lint(chart: Path) -> list[int]:
    """Return how grave each message is that Helm has about a chart: 1 is a remark, 3 an error."""
    if not (TOOLS / "helm_sdkpy").is_dir():
        pytest.skip(LACKING)
    severities: list[int] = _run("lint", str(chart))["severities"]
    return severities


def _run(what: str, asked: Any) -> Any:
    paths = os.pathsep.join([str(BASE_DIR), str(TOOLS)])
    with TemporaryDirectory() as home:  # it keeps what it has asked the API there, and its releases in memory
        ours = {"PYTHONPATH": paths, "HELM_DRIVER": "memory", "HOME": home}
        done = subprocess.run(
            [sys.executable, "-m", "tests.helm", what],
            cwd=BASE_DIR,
            env={**os.environ, **ours},
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            timeout=4 * SECONDS,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


async def _install(asked: dict[str, Any]) -> dict[str, Any]:
    helm = importlib.import_module("helm_sdkpy")
    config = helm.Configuration(namespace="default", kubeconfig=yaml.safe_dump(asked["kubeconfig"]))
    options = {"wait": False, "timeout": SECONDS}
    try:
        await helm.Install(config).run("site", str(CHART), values=asked["values"], **options)
        if asked["then"] is not None:
            await helm.Upgrade(config).run("site", str(CHART), values=asked["then"], **options)
    except helm.HelmError as error:
        return {"error": str(error)}
    return {"error": ""}


async def _lint(values: Path) -> dict[str, Any]:
    helm = importlib.import_module("helm_sdkpy")
    said = await helm.Lint(helm.Configuration()).run(str(values))
    return {"severities": [message["Severity"] for message in said["Messages"]]}


def _validate(objects: Objects) -> dict[str, Any]:
    """Hold the objects against the schemas of the oldest Kubernetes that the chart names, and the newest."""
    schemas = importlib.import_module("kubernetes_validate")
    invalid = []
    for version in (OLDEST, schemas.latest_version()):
        for one in objects:
            if one["apiVersion"] == "keda.sh/v1alpha1":  # has no schema there
                continue
            given = {key: value for key, value in one.items() if key != "status"}
            try:
                schemas.validate(given, version, strict=True)
            except schemas.ValidationError as error:
                invalid.append(f"{version} {one['kind']} {one['metadata']['name']}: {error.message}")
    return {"invalid": invalid}


if __name__ == "__main__":
    command, given = sys.argv[1], json.load(sys.stdin)
    if command == "install":
        print(json.dumps(asyncio.run(_install(given))))
    elif command == "lint":
        print(json.dumps(asyncio.run(_lint(Path(given)))))
    else:
        print(json.dumps(_validate(given)))
