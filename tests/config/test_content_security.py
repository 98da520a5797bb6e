from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import boto3
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from config.content_security import bucket_origins, origins
from tests.shared import ROOT


def directives(header: str) -> dict[str, str]:
    return dict(part.partition(" ")[::2] for part in header.split("; "))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", []),
        ("none", ["'none'"]),
        ("'self', https://*.mturk.com", ["'self'", "https://*.mturk.com"]),
        ("self,https://App.Example.org:8443", ["'self'", "https://app.example.org:8443"]),
        ("http://[::1]:8000,http://localhost", ["http://[::1]:8000", "http://localhost"]),
    ],
)
def test_origins_are_read_as_a_policy_has_them(
    monkeypatch: pytest.MonkeyPatch, value: str, expected: list[str]
) -> None:
    monkeypatch.setenv("SOME_ORIGINS", value)
    assert origins("SOME_ORIGINS") == expected


@pytest.mark.parametrize(
    "value",
    [
        *("*", "https:", "https://*", "mturk.com", "https://mturk.com/path", "ftp://mturk.com", "data:"),
        *("https://a.org; script-src *", "https://a.org https://b.org", "https://a.*.org", "'unsafe-inline'"),
        *("none, https://a.org", "https://a.org\nX: y"),
    ],
)
def test_what_is_no_origin_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("SOME_ORIGINS", value)
    with pytest.raises(ImproperlyConfigured, match="SOME_ORIGINS has to be none"):
        origins("SOME_ORIGINS")


@pytest.fixture(scope="module")
def session() -> boto3.Session:
    """Return one session for all tests, so that botocore's data about S3 is read only once."""
    return boto3.Session(aws_access_key_id="made", aws_secret_access_key="up")


@pytest.mark.parametrize("bucket", ["images", "images.example.org"])
@pytest.mark.parametrize("region", ["", "us-east-1", "eu-central-1", "cn-north-1", "us-gov-west-1"])
@pytest.mark.parametrize("endpoint", ["", "https://s3.example.org:9000", "http://127.0.0.1:9000"])
def test_presigned_links_lead_to_origins_of_the_policy(
    monkeypatch: pytest.MonkeyPatch, session: boto3.Session, bucket: str, region: str, endpoint: str
) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION", raising=False)
    client = session.client(
        "s3",
        region_name=region or None,
        endpoint_url=endpoint or None,
    )
    link = client.generate_presigned_url("get_object", Params={"Bucket": bucket, "Key": "p/1.jpg"})
    parts = urlsplit(link)
    assert f"{parts.scheme}://{parts.netloc}" in bucket_origins(bucket, region, endpoint)


def test_the_region_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")
    assert "https://images.s3.eu-west-1.amazonaws.com" in bucket_origins("images", "", "")


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/v1/stages", "/nowhere", "/static/admin/css/base.css"])
def test_every_address_has_the_policy(path: str) -> None:
    reply = Client().get(path)
    reply.close()
    assert directives(reply.headers["Content-Security-Policy"]) == {
        "default-src": "'self'",
        "img-src": "'self'",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    assert reply.headers["X-Content-Type-Options"] == "nosniff" or path.startswith("/static/")


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/admin/login/", "/admin/", "/admin/review/", "/admin/annotation/image/"])
def test_the_console_may_make_functions_of_its_own_attributes_and_no_more(
    path: str, admin_client: Client
) -> None:
    client = Client() if "login" in path else admin_client
    policy = directives(client.get(path).headers["Content-Security-Policy"])
    assert policy == {
        "default-src": "'self'",
        "script-src": "'self' 'unsafe-eval'",
        "img-src": "'self'",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }


SHOW = """
import json, django; django.setup()
from django.test import Client
paths = ("/work/", "/admin/login/")
print(json.dumps([Client().get(path).headers["Content-Security-Policy"] for path in paths]))
"""


@pytest.mark.slow("a process of its own")
def test_settings_say_who_frames_the_pages_and_where_images_are(tmp_path: Path) -> None:
    """tests/e2e/test_frames.py does this with a server and a browser."""
    env = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "GROUNDCREW_VAR": str(tmp_path),
        "GROUNDCREW_HOSTS": "testserver",
        "GROUNDCREW_FRAME_ANCESTORS": "self,https://*.mturk.com",
        "GROUNDCREW_S3_BUCKET": "images",
        "GROUNDCREW_IMAGE_ORIGINS": "https://cdn.example.org",
    }
    said = subprocess.check_output([sys.executable, "-c", SHOW], cwd=ROOT, env=env, text=True)
    pages, other = map(directives, json.loads(said))
    assert pages["frame-ancestors"] == "'self' https://*.mturk.com"
    assert other["frame-ancestors"] == "'none'"
    assert pages["img-src"] == other["img-src"] == "'self' https://cdn.example.org"
