"""docker-compose.yml, Dockerfile and deploy/, as far as they can be tested without Docker."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.urls import reverse

from config.processes.schedule import COUNTS_AT_ONCE, ROUNDS_AT_ONCE
from config.proxies import OUTERMOST
from config.serve import DEFAULTS
from config.server.request_bodies import UPLOADS
from config.settings import BASE_DIR

pytestmark = pytest.mark.slow("a process of its own for each service")

COMPOSE = BASE_DIR / "docker-compose.yml"
NEEDED = {"GROUNDCREW_HOSTS": "annotate.example.org"}
SECRETS = {
    "postgres_password": "p" * 30,
    "secret_key": "only-for-tests-" + 8 * "0123456789",
}
VARIABLE = re.compile(r"\$\{([A-Z_0-9]+)(?::([-?+])((?:[^{}$]|\$\{[^{}]*\})*))?\}")


def composed(given: dict[str, str]) -> Any:
    """Return the file as Compose understands it.

    Raises LookupError for a variable that has to be given.
    """

    def value(match: re.Match[str]) -> str:
        name, kind, word = match.groups()
        if kind == "+":
            return VARIABLE.sub(value, word) if given.get(name) else ""
        if given.get(name):
            return given[name]
        if kind != "-":
            raise LookupError(f"{name}: {word}")
        return VARIABLE.sub(value, word)

    return yaml.safe_load(VARIABLE.sub(value, COMPOSE.read_text()))


def test_the_host_names_have_to_be_given() -> None:
    with pytest.raises(LookupError, match="GROUNDCREW_HOSTS"):
        composed({})


def test_the_required_secrets_are_files_without_a_default() -> None:
    file = composed({**NEEDED, "GROUNDCREW_SECRETS": "/srv/secrets"})
    assert file["secrets"] == {name: {"file": f"/srv/secrets/{name}"} for name in SECRETS}
    for name, service in file["services"].items():
        environment = service.get("environment", {})
        files = {value for key, value in environment.items() if key.endswith("_FILE")}
        assert files == {f"/run/secrets/{secret}" for secret in service.get("secrets", ())}, name
        assert not {"POSTGRES_PASSWORD", "GROUNDCREW_SECRET_KEY", "DATABASE_PASSWORD"} & set(environment)
    assert set(file["services"]["web"]["secrets"]) == set(SECRETS)
    assert file["services"]["web"]["environment"]["DATABASE_URL"].count(":") == 2, "without a password"


def test_no_service_can_write_to_its_image_or_gain_rights() -> None:
    for name, service in composed(NEEDED)["services"].items():
        assert service["read_only"] is True, name
        assert any(folder.startswith("/tmp") for folder in service["tmpfs"]), name  # noqa: S108
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
    rights = {
        name: service["cap_add"]
        for name, service in composed(NEEDED)["services"].items()
        if "cap_add" in service
    }
    assert set(rights) == {"proxy", "postgres"}


def test_what_is_outside_reaches_no_store_and_no_store_the_outside() -> None:
    file = composed(NEEDED)
    assert file["networks"] == {"front": None, "back": {"internal": True}}
    networks = {name: set(service["networks"]) for name, service in file["services"].items()}
    assert networks.pop("proxy") == {"front"}
    assert networks.pop("postgres") == networks.pop("redis") == {"back"}
    assert all(both == {"front", "back"} for both in networks.values())


def test_temporary_files_go_to_the_volume() -> None:
    web = composed(NEEDED)["services"]["web"]
    assert web["environment"]["TMPDIR"] == "/var/lib/groundcrew/incoming"
    assert "files:/var/lib/groundcrew" in web["volumes"]


def test_every_service_is_watched_and_cannot_fill_the_disk_or_the_memory() -> None:
    services = composed(NEEDED)["services"]
    assert set(services) == {"migrate", "proxy", "web", "worker", "jobs", "beat", "postgres", "redis"}
    for name, service in services.items():
        assert {"mem_limit", "logging"} <= set(service), name
        assert "healthcheck" in service or name == "migrate"
        assert "ports" not in service or name == "proxy"
    assert "/readyz" in services["web"]["healthcheck"]["test"][-1]


def test_long_work_has_processes_of_its_own() -> None:
    services = composed(NEEDED)["services"]
    for name, queue in (("worker", "celery"), ("jobs", "long")):
        command = services[name]["command"]
        assert command[command.index("--queues") + 1] == queue
        assert services[name]["healthcheck"]["test"][1].startswith("celery --app config inspect ping")
    command = services["jobs"]["command"]
    assert int(command[command.index("--concurrency") + 1]) == 1 + COUNTS_AT_ONCE + ROUNDS_AT_ONCE, (
        "and one job"
    )


READ = re.compile(r'"((?:GROUNDCREW|DATABASE|REDIS)_[A-Z_0-9]+)"')
ELSEWHERE = {
    *("GROUNDCREW_VAR", "GROUNDCREW_LOG_FORMAT"),  # the image's own
    *("GROUNDCREW_DEBUG", "GROUNDCREW_TASK_PROCESSES"),  # only for a site that others cannot reach
}


def test_whatever_the_settings_read_is_passed_on() -> None:
    read = {name for file in (BASE_DIR / "config").glob("*.py") for name in READ.findall(file.read_text())}
    given = composed(NEEDED)["services"]["web"]["environment"]
    assert read - ELSEWHERE <= {name.removesuffix("_FILE") for name in given}
    told = composed({**NEEDED, "GROUNDCREW_IMPORT_FOLDERS": "/corpora", "GROUNDCREW_JOBS_AT_ONCE": "2"})
    for name in ("web", "worker", "jobs"):
        environment = told["services"][name]["environment"]
        assert environment["GROUNDCREW_IMPORT_FOLDERS"] == "/corpora"
        assert environment["GROUNDCREW_JOBS_AT_ONCE"] == 2


def test_the_deployment_check_is_clean_in_the_web_servers_environment(tmp_path: Path) -> None:
    environment = {
        name: str(value or "") for name, value in composed(NEEDED)["services"]["web"]["environment"].items()
    }
    for name, secret in SECRETS.items():
        (tmp_path / name).write_text(f"{secret}\n")
    environment = {
        name: value.replace("/run/secrets", str(tmp_path)) for name, value in environment.items()
    } | {"TMPDIR": str(tmp_path)}
    # The image's own, except for the folder.
    image = {"GROUNDCREW_VAR": str(tmp_path), "GROUNDCREW_LOG_FORMAT": "json"}
    checked = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        env={"PATH": os.environ["PATH"], **image, **environment},
        cwd=BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (checked.returncode, checked.stderr) == (0, "")


def test_the_image_and_make_serve_run_the_web_server_alike() -> None:
    said = (BASE_DIR / "Dockerfile").read_text()
    for name, value in DEFAULTS.items():
        assert f"{name}={value}" in said, name


def test_the_image_holds_every_package() -> None:
    packages = {file.parent.name for file in BASE_DIR.glob("*/__init__.py")} - {
        "baselines",
        "benchmarks",
        "examples",
        "research",
        "scripts",
        "tests",
    }
    copied = set(re.findall(r"^COPY (\w+) \./\1$", (BASE_DIR / "Dockerfile").read_text(), re.MULTILINE))
    let_in = set(re.findall(r"^!(\w+)$", (BASE_DIR / ".dockerignore").read_text(), re.MULTILINE))
    assert packages <= copied & let_in


def test_the_image_is_built_from_files_that_are_let_in() -> None:
    """Docker sees no others: .dockerignore once left out a script, and no image could be built."""
    let_in = re.findall(r"^!(.+)$", (BASE_DIR / ".dockerignore").read_text(), re.MULTILINE)
    lines = re.findall(r"^COPY (?!--from)(.+) \S+$", (BASE_DIR / "Dockerfile").read_text(), re.MULTILINE)
    sources = [source for line in lines for source in line.split()]
    assert len(sources) > 10
    for source in sources:
        assert (BASE_DIR / source).exists(), source
        assert any(source == one or source.startswith(f"{one}/") for one in let_in), source


def proxys(inside: str, file: Any) -> Path:
    """Return the file that is at this path in the proxy's container."""
    (found,) = [one for one in file["services"]["proxy"]["volumes"] if one.split(":")[1] == inside]
    return BASE_DIR / str(found).split(":")[0]


@pytest.mark.parametrize("outer", ["", "172.16.0.0/12 10.0.0.7"])
def test_what_the_proxy_reads_is_there_and_hides_what_is_for_inside(outer: str) -> None:
    file = composed({**NEEDED, "GROUNDCREW_OUTER_PROXY": outer})
    told = file["services"]["proxy"]["environment"]
    main, site = (proxys(f"/etc/caddy/{name}", file) for name in ("Caddyfile", "site.caddy"))
    for read in (main, site):
        said = read.read_text()
        assert said.count("{") == said.count("}")
        assert set(re.findall(r"\{\$([A-Z_]+)", said)) <= set(told)
    assert "import site.caddy" in main.read_text()
    for path in ("/healthz", "/readyz", "/metrics"):
        assert path in site.read_text()


def test_the_proxy_says_where_https_is() -> None:
    for given, ports, said in (
        ({}, ["80:80", "443:443", "443:443/udp"], None),
        ({"HTTP_PORT": "81", "HTTPS_PORT": "8443"}, ["81:80", "8443:443", "8443:443/udp"], ":8443"),
    ):
        proxy = composed(NEEDED | given)["services"]["proxy"]
        assert (proxy["ports"], proxy["environment"]["GROUNDCREW_PORT"]) == (ports, said)
    assert (
        "redir @client https://{host}{$GROUNDCREW_PORT}{uri}"
        in (BASE_DIR / "deploy" / "Caddyfile").read_text()
    )


def test_behind_another_proxy_it_trusts_that_one_and_leaves_it_the_ports() -> None:
    outer = "172.16.0.0/12"
    file = composed({**NEEDED, "GROUNDCREW_OUTER_PROXY": outer})
    proxy = file["services"]["proxy"]
    assert proxy["ports"] == ["127.0.0.1:8080:80", "127.0.0.1:8443:443", "127.0.0.1:8443:443/udp"]
    assert proxys("/etc/caddy/Caddyfile", file).name == "Caddyfile.behind"
    assert "trusted_proxies {$GROUNDCREW_OUTER_PROXY}" in proxys("/etc/caddy/Caddyfile", file).read_text()
    for service in ("proxy", "web"):
        assert file["services"][service]["environment"]["GROUNDCREW_OUTER_PROXY"] == outer
        alone = composed(NEEDED)["services"][service]["environment"]
        assert alone["GROUNDCREW_OUTER_PROXY"] == OUTERMOST, "so a wrong GROUNDCREW_PROXIES is noticed"


def test_the_proxy_has_the_limits_of_the_web_server() -> None:
    given = {**NEEDED, "GROUNDCREW_MAX_UPLOAD_BYTES": "7000"}
    services = composed(given)["services"]
    said = (BASE_DIR / "deploy" / "site.caddy").read_text()
    for name, default in (
        ("GROUNDCREW_MAX_BODY_BYTES", 1_000_000),
        ("GROUNDCREW_MAX_UPLOAD_BYTES", 5 * 10**9),
    ):
        assert services["proxy"]["environment"][name] == services["web"]["environment"][name]
        assert f"max_size {{${name}:{default}}}" in said
    (upload, other) = set(re.findall(r"@\w+ ((?:not )?path_regexp) (\S+)$", said, re.MULTILINE))
    assert {upload[0], other[0]} == {"path_regexp", "not path_regexp"} and upload[1] == other[1]
    for name in UPLOADS:
        more = ["20260101000000-0123456789abcdef"] if name == "jobs:pieces" else []
        place = reverse(name, args=[17, *more])
        assert re.search(upload[1], place) and re.search(upload[1], f"/groundcrew{place}")
    assert not re.search(upload[1], reverse("jobs:exports", args=[17]))


def test_the_proxy_logs_neither_links_to_photographs_nor_queries() -> None:
    said = (BASE_DIR / "deploy" / "site.caddy").read_text()
    (pattern, kept), *others = re.findall(r'request>uri regexp "(.+)" "(.+)"', said)
    assert not others
    for uri, logged in (
        ("/media/Zr8w0A", "/media/"),
        ("/media/Zr8w0A?x=1", "/media/"),
        ("/groundcrew/media/Zr8w0A", "/groundcrew/media/"),
        ("/work/?token=1", "/work/?"),
        ("/work/?from=/media/Zr8w0A", "/work/?"),
        ("/admin/images/7/photograph", "/admin/images/7/photograph"),
    ):
        assert re.sub(pattern, kept.replace("$", "\\"), uri) == logged  # Go writes $1 and Python \1
