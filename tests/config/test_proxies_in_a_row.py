"""The site behind proxies, with the files of deploy/: nobody is redirected for ever or taken for another."""

from __future__ import annotations

import re
import ssl
from pathlib import Path

import httpx
import pytest
from axes.models import AccessAttempt

from tests.caddy import caddy, free_ports, replaced, shipped, trusting
from tests.services import services_of_test

pytestmark = [
    pytest.mark.slow("runs web server, worker, beat and proxies"),
    pytest.mark.usefixtures("transactional_db"),
]
CLIENTS = ("127.0.0.2", "127.0.0.3")
FORGED = {"X-Forwarded-For": "203.0.113.9, 203.0.113.10", "X-Request-ID": "chosen-by-the-client"}


@pytest.fixture
def ports() -> list[int]:
    return free_ports(6)


def given(site: str, **env: str) -> dict[str, str]:
    """Return the environment that docker-compose.yml gives the web server."""
    named = {"GROUNDCREW_HOSTS": "127.0.0.1", "GROUNDCREW_SITE": site, "GROUNDCREW_TLS": "1"}
    return {**named, "GROUNDCREW_OUTER_PROXY": "none", **env}


def outer_proxy(folder: Path, *, port: int, inner: str, before: int = 0) -> Path:
    """Return the file of somebody's own proxy, which ends TLS. There may be another one before it."""
    folder.mkdir()
    path = folder / "Caddyfile"
    trusted = "trusted_proxies 127.0.0.1" if before else ""
    blocks = [f"https://127.0.0.1:{port} {{\n\treverse_proxy {inner} {{\n{trusted}\n}}\n}}"]
    if before:
        blocks = [
            f"http://:{port} {{\n\tbind 127.0.0.1\n\treverse_proxy {inner} {{\n{trusted}\n}}\n}}",
            f"https://127.0.0.1:{before} {{\n\treverse_proxy 127.0.0.1:{port}\n}}",
        ]
    path.write_text(
        "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n" + "\n".join(blocks)
    )
    return path


def try_password(url: str, trust: ssl.SSLContext, client: str) -> None:
    """Fail to log in from this address, under a name that says the address."""
    transport = httpx.HTTPTransport(verify=trust, local_address=client)
    with httpx.Client(transport=transport, base_url=url, headers=FORGED) as browser:
        page = browser.get("/admin/login/")
        assert page.status_code == 200, "or it would be redirected"
        assert page.headers["Strict-Transport-Security"] == "max-age=31536000", (
            "and no more than was asked for"
        )
        assert page.headers["X-Request-ID"] != FORGED["X-Request-ID"]
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
        assert token is not None
        form = {"csrfmiddlewaretoken": token[1], "username": f"from-{client}", "password": "wrong"}
        reply = browser.post("/admin/login/", data=form, headers={"Referer": f"{url}/admin/login/"})
        assert reply.status_code == 200


def check_addresses(url: str, trust: ssl.SSLContext) -> None:
    for client in CLIENTS:
        try_password(url, trust, client)
    found = set(AccessAttempt.objects.values_list("username", "ip_address"))
    assert found == {(f"from-{client}", client) for client in CLIENTS}


def test_the_proxy_of_compose_alone(tmp_path: Path, ports: list[int]) -> None:
    web, https, http, check, *_ = ports
    url = f"https://127.0.0.1:{https}"
    file = shipped("Caddyfile", tmp_path, web=f"127.0.0.1:{web}", http=http, check=check)
    file.write_text(replaced(file.read_text(), {"\tadmin off\n": "\tadmin off\n\tskip_install_trust\n"}))
    proxy = caddy(file, https, GROUNDCREW_HOSTS=url, GROUNDCREW_PORT=f":{https}")
    with services_of_test(tmp_path / "logs", web, **given(url)), proxy:
        check_addresses(url, trusting(tmp_path, https))
        plain = httpx.get(f"http://127.0.0.1:{http}/work/?a=1")
        assert (plain.status_code, plain.headers["Location"]) == (308, f"{url}/work/?a=1"), "with the port"
        told = httpx.get(f"http://127.0.0.1:{http}/work/", headers={"X-Forwarded-Proto": "https"})
        assert told.status_code == 502 and "Set GROUNDCREW_OUTER_PROXY" in told.text, "no loop"
        assert httpx.get(f"http://127.0.0.1:{check}/").text == "ok"
        for path in ("/healthz", "/readyz", "/metrics"):
            assert httpx.get(f"{url}{path}", verify=trusting(tmp_path, https)).status_code == 404
        # Whoever calls the web server itself is told what is missing.
        bare = httpx.get(f"http://127.0.0.1:{web}/work/")
        assert bare.status_code == 400 and "X-Forwarded-Proto" in bare.text
        assert httpx.get(f"http://127.0.0.1:{web}/healthz").text == "ok\n"


@pytest.mark.parametrize("number", [2, 3])
def test_behind_proxies_of_somebody_else(tmp_path: Path, ports: list[int], number: int) -> None:
    web, https, http, check, between, _ = ports
    url = f"https://127.0.0.1:{https}"
    inner = shipped("Caddyfile.behind", tmp_path, web=f"127.0.0.1:{web}", http=http, check=check)
    outer = tmp_path / "outer"
    first, before = (https, 0) if number == 2 else (between, https)
    file = outer_proxy(outer, port=first, inner=f"127.0.0.1:{http}", before=before)
    told = {"GROUNDCREW_OUTER_PROXY": "127.0.0.1 ::1"}
    counted = {"GROUNDCREW_PROXIES": str(number)} if number > 2 else {}
    services = services_of_test(tmp_path / "logs", web, **given(url, **told, **counted))
    with services, caddy(inner, http, **told), caddy(file, https):
        check_addresses(url, trusting(outer, https))
        # Who comes past the outer proxy is nobody whom anything is believed, and is sent to it.
        forged = {**FORGED, "X-Forwarded-Proto": "https"}
        transport = httpx.HTTPTransport(local_address="127.0.0.4")
        with httpx.Client(transport=transport, headers=forged) as browser:
            passed = browser.get(f"http://127.0.0.1:{http}/admin/login/")
        assert (passed.status_code, passed.headers["Location"]) == (301, f"{url}/admin/login/")
