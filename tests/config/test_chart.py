"""The Helm chart in deploy/helm, installed by Helm itself into an API that starts nothing."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
from functools import cache
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings

from config.proxies import OUR_PATHS
from config.server.wsgi_calls import PROBES
from config.settings import BASE_DIR
from tests.faults.processes import celery_worker
from tests.helm import CHART, Installed, install, lint
from tests.services import database_url

pytestmark = pytest.mark.slow("runs Helm in a process of its own")

NEEDED: dict[str, Any] = {
    "image": {"repository": "registry.example.org/groundcrew", "tag": "1"},
    "hosts": ["annotate.example.org", "www.example.org"],
    "secretName": "groundcrew",
    "storage": {"s3": {"bucket": "photographs", "region": "eu-central-1"}},
}
EVERYTHING: dict[str, Any] = {
    **NEEDED,
    "imagePullSecrets": [{"name": "registry"}],
    "env": {
        "GROUNDCREW_CONTACT": "crowd@example.org",
        "GROUNDCREW_MAX_UPLOAD_BYTES": 5_000_000_000,
        "GROUNDCREW_SITE": "https://annotate.example.org/groundcrew",
        "GROUNDCREW_OFFLINE_PAGES": False,
    },
    "serviceAccountName": "bucket",
    "web": {"autoscaling": {"enabled": True}},
    "queueScaling": {"enabled": True, "address": "redis.example.org:6379", "passwordKey": "REDIS_PASSWORD"},
    "ingress": {
        "enabled": True,
        "className": "traefik",
        "annotations": {"cert-manager.io/cluster-issuer": "letsencrypt"},
        "tlsSecretName": "certificate",
    },
    "nodeSelector": {"kubernetes.io/arch": "arm64"},
    "tolerations": [{"key": "crowd", "operator": "Exists"}],
    "affinity": {"nodeAffinity": {}},
}
NOBODY = "a-pod-that-is-not-there"
SECRETS = {"DATABASE_URL", "REDIS_URL", "GROUNDCREW_SECRET_KEY"}
WAYS: dict[str, dict[str, Any]] = {
    "least": NEEDED,
    "everything": EVERYTHING,
    "claim": {**NEEDED, "storage": {"existingClaim": "files"}},
}


@cache
def by_way(way: str) -> Installed:
    return install(**WAYS[way])


@pytest.fixture(params=list(WAYS))
def installed(request: pytest.FixtureRequest) -> Installed:
    return by_way(request.param)


def pods(of: Installed) -> dict[str, Any]:
    """Return the pod of each kind of process."""
    found = {}
    for one in of.objects:
        if one["kind"] in {"Deployment", "Job"}:
            template = one["spec"]["template"]
            found[template["metadata"]["labels"]["app.kubernetes.io/component"]] = template["spec"]
    return found


def named(of: Installed, kind: str) -> list[Any]:
    return [one for one in of.objects if one["kind"] == kind]


def only(of: Installed, kind: str) -> Any:
    (one,) = named(of, kind)
    return one


def merged(usual: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """Return the values as Helm joins them."""
    both = {name: merged(usual[name], given[name]) for name in given if isinstance(usual.get(name), dict)}
    return usual | given | both


def composed() -> Any:
    return yaml.safe_load((BASE_DIR / "docker-compose.yml").read_text())["services"]


def test_kubernetes_takes_every_object(installed: Installed) -> None:
    assert not installed.error
    assert set(pods(installed)) == {"migrate", "web", "worker", "jobs", "beat"}
    assert installed.invalid == []


def test_migrations_run_before_anything_else(installed: Installed) -> None:
    assert installed.done[:2] == [
        "POST ConfigMap site-groundcrew-migrate",
        "POST Job site-groundcrew-migrate",
    ]
    assert {line.split()[1] for line in installed.done[2:]} >= {"Deployment", "Service", "ConfigMap"}


def test_processes_run_what_compose_runs(installed: Installed) -> None:
    services = composed()
    services["jobs"]["command"][services["jobs"]["command"].index("--concurrency") + 1] = "4"
    for name, pod in pods(installed).items():
        (container,) = pod["containers"]
        assert container.get("command") == services[name].get("command"), name
        assert container["image"] == "registry.example.org/groundcrew:1"


def test_no_pod_can_write_to_its_image_or_gain_rights(installed: Installed) -> None:
    for name, pod in pods(installed).items():
        assert pod["securityContext"]["runAsNonRoot"] is True, name
        assert pod["securityContext"]["runAsUser"] == 10001, "as in the Dockerfile"
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        (container,) = pod["containers"]
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert container["resources"]["limits"]["memory"], "or one pod takes the machine's"
        written = {mount["mountPath"] for mount in container["volumeMounts"]}
        assert {"/tmp", "/var/lib/groundcrew"} <= written  # noqa: S108


def test_pods_have_no_account_of_the_cluster_unless_you_name_one() -> None:
    for way, account in (("least", None), ("everything", "bucket")):
        for pod in pods(by_way(way)).values():
            assert pod.get("serviceAccountName") == account
            assert pod["automountServiceAccountToken"] is (account is not None)


def test_secrets_come_from_your_secret_alone(installed: Installed) -> None:
    for pod in pods(installed).values():
        (container,) = pod["containers"]
        assert {"secretRef": {"name": "groundcrew"}} in container["envFrom"]
        told = {one["name"]: one for one in container["env"] if one["name"] in SECRETS}
        # A missing one stops the pod. Otherwise it would take a file as its database.
        assert told == {
            name: {"name": name, "valueFrom": {"secretKeyRef": {"name": "groundcrew", "key": name}}}
            for name in SECRETS
        }
    assert not [one for one in named(installed, "ConfigMap") if SECRETS & set(one["data"])]


def test_the_environment_is_one_that_the_service_takes(installed: Installed) -> None:
    documented = set(re.findall(r"`([A-Z][A-Z0-9_]+)`", (BASE_DIR / "docs" / "configuration.md").read_text()))
    maps = named(installed, "ConfigMap")
    assert maps[0]["data"] == maps[1]["data"], "the migration sees what the others see"
    given = maps[0]["data"]
    assert set(given) - {"TMPDIR"} <= documented
    secrets = {
        "DATABASE_URL": "postgres://groundcrew:secret@postgres:5432/groundcrew",
        "REDIS_URL": "redis://redis:6379/0",
        "GROUNDCREW_SECRET_KEY": "only-for-tests-" + 8 * "0123456789",
    }
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=BASE_DIR,
        env={"PATH": "/usr/bin:/bin", **given, **secrets, "TMPDIR": "/tmp"},  # noqa: S108
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_what_you_set_goes_before_what_the_chart_says() -> None:
    given = named(by_way("everything"), "ConfigMap")[0]["data"]
    assert given["GROUNDCREW_SITE"] == "https://annotate.example.org/groundcrew"
    assert given["GROUNDCREW_MAX_UPLOAD_BYTES"] == "5000000000", "and not 5e+09"
    assert given["GROUNDCREW_OFFLINE_PAGES"] == "false"


def test_a_new_environment_starts_pods_anew() -> None:
    def checksums(**more: Any) -> set[str]:
        made = named(install(**{**NEEDED, **more}), "Deployment")
        return {one["spec"]["template"]["metadata"]["annotations"]["checksum/environment"] for one in made}

    (before,), (after,) = checksums(), checksums(env={"GROUNDCREW_WEB_THREADS": 9})
    assert before != after


def test_a_claim_holds_the_files_and_nothing_of_a_process() -> None:
    """Figures for metrics are by process id, and beat's schedule is its own: both would be mixed up there."""
    for name, pod in pods(by_way("claim")).items():
        (container,) = pod["containers"]
        at = [mount["mountPath"] for mount in container["volumeMounts"] if mount["name"] == "files"]
        assert at == (["/var/lib/groundcrew/media"] if name in {"web", "worker", "jobs"} else []), name


def test_the_ingress_leads_to_the_pages_and_not_to_the_probes() -> None:
    rules = only(by_way("everything"), "Ingress")["spec"]["rules"]
    assert [rule["host"] for rule in rules] == EVERYTHING["hosts"]
    inside = {probe.strip("/") for probe in PROBES}
    for rule in rules:
        paths = {(path["pathType"], path["path"]) for path in rule["http"]["paths"]}
        assert paths == {("Exact", "/"), *(("Prefix", f"/{name}") for name in OUR_PATHS - inside)}


def test_workers_are_added_while_messages_wait() -> None:
    made = by_way("everything")
    scaled = only(made, "ScaledObject")["spec"]
    (trigger,) = scaled["triggers"]
    (worker,) = [one for one in named(made, "Deployment") if one["metadata"]["name"].endswith("-worker")]
    assert scaled["scaleTargetRef"]["name"] == worker["metadata"]["name"]
    assert "replicas" not in worker["spec"], "or each upgrade would set it back"
    command = pods(made)["worker"]["containers"][0]["command"]
    assert trigger["metadata"]["listName"] == command[command.index("--queues") + 1]
    assert trigger["metadata"]["passwordFromEnv"] == "REDIS_PASSWORD"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"image": {"repository": "groundcrew"}}, "/image/tag"),
        ({"image": {"repository": "groundcrew", "tag": "latest"}}, "/image/tag"),
        ({"hosts": []}, "/hosts"),
        ({"hosts": ["https://annotate.example.org"]}, "/hosts/0"),
        ({"secretName": ""}, "/secretName"),
        ({"web": {"replica": 3}}, "'replica' not allowed"),
        ({"env": {"GROUNDCREW-CONTACT": "x"}}, "GROUNDCREW-CONTACT"),
        ({"storage": {}}, "set storage.s3.bucket, or storage.existingClaim"),
        ({"storage": {"s3": {"bucket": "photographs"}}}, "set storage.s3.region"),
        ({"ingress": {"enabled": True}}, "set ingress.tlsSecretName"),
        ({"queueScaling": {"enabled": True}}, "set queueScaling.address"),
        ({"queueScaling": {"enabled": True, "address": "redis://redis:6379/0"}}, "/queueScaling/address"),
    ],
)
def test_values_that_cannot_work_are_refused_before_anything_is_made(
    change: dict[str, Any], said: str
) -> None:
    made = install(**{**NEEDED, **change})
    assert said in made.error
    assert made.done == []


def test_nothing_else_is_installed_if_the_migration_fails() -> None:
    made = install(failing_jobs=(1,), **NEEDED)
    assert "site-groundcrew-migrate" in made.error
    assert [line.split()[1] for line in made.done] == ["ConfigMap", "Job"]


def test_nothing_else_is_upgraded_if_the_migration_fails() -> None:
    newer = {**NEEDED, "image": {**NEEDED["image"], "tag": "2"}}
    made = install(then=newer, failing_jobs=(2,), **NEEDED)
    assert "site-groundcrew-migrate" in made.error
    assert not [line for line in made.done if line.startswith("PATCH")]


def test_an_upgrade_migrates_and_then_changes_the_image() -> None:
    newer = {**NEEDED, "image": {**NEEDED["image"], "tag": "2"}}
    made = install(then=newer, **NEEDED)
    upgraded = made.done[made.done.index("POST Job site-groundcrew-migrate", 2) :]
    changed = {line.removeprefix("PATCH Deployment ") for line in upgraded if "PATCH Deployment" in line}
    assert changed == {f"site-groundcrew-{name}" for name in ("web", "worker", "jobs", "beat")}
    images = {pod["containers"][0]["image"] for pod in pods(made).values()}
    assert images == {"registry.example.org/groundcrew:2"}


def test_helm_has_no_complaint(tmp_path: Path) -> None:
    for way, values in WAYS.items():
        chart = tmp_path / way / "groundcrew"
        shutil.copytree(CHART, chart)
        usual = yaml.safe_load((chart / "values.yaml").read_text())
        (chart / "values.yaml").write_text(yaml.safe_dump(merged(usual, values)))
        assert max(lint(chart), default=0) <= 1, "no more than a remark"


@pytest.mark.parametrize(("hung", "code"), [(False, 0), (True, 1)])
def test_only_a_web_process_whose_threads_hang_is_started_anew(hung: bool, code: int) -> None:
    class Readiness(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            checks = {"database": {"ok": False}, "broker": {"ok": False}, "threads": {"ok": not hung}}
            body = json.dumps({"ready": False, "checks": checks}).encode()
            self.send_response(503)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    *python, script = pods(by_way("least"))["web"]["containers"][0]["livenessProbe"]["exec"]["command"]
    assert python == ["python", "-c"]
    with HTTPServer(("127.0.0.1", 0), Readiness) as server:
        server.timeout = 30
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        script = script.replace("8000", str(server.server_address[1]))
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False, timeout=30)
        thread.join()
    assert done.returncode == code, done.stderr


@pytest.mark.skipif(not settings.REDIS_URL, reason="in a cluster, messages are always in Redis")
@pytest.mark.usefixtures("transactional_db")
def test_a_worker_is_started_anew_unless_it_answers_or_redis_is_away(tmp_path: Path) -> None:
    *python, script = pods(by_way("least"))["worker"]["containers"][0]["livenessProbe"]["exec"]["command"]
    assert python == ["python", "-c"]
    # On one machine, another worker has this machine's name.
    script = script.replace("socket.gethostname()", f"'{NOBODY}'")

    def code(**env: str) -> int:
        command = [sys.executable, "-c", script]
        done = subprocess.run(
            command,
            cwd=BASE_DIR,
            env={**os.environ, "DATABASE_URL": database_url(), **env},
            capture_output=True,
            timeout=90,
            check=False,
        )
        return done.returncode

    assert code(REDIS_URL="redis://127.0.0.1:1/0") == 0
    assert code() == 1
    script = script.replace(NOBODY, socket.gethostname())
    with celery_worker(tmp_path / "worker.log"):
        assert code() == 0
