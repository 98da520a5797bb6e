from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.settings import BASE_DIR

SETTINGS = BASE_DIR / "config" / "settings.py"


def load(var: Path, /, *names: str, **env: str) -> dict[str, Any]:
    """Return the settings of a process that has no variables except `env`.

    Raises ImproperlyConfigured when it refuses them.
    """
    with mock.patch.dict(os.environ, {"GROUNDCREW_VAR": str(var)} | env, clear=True):
        read = runpy.run_path(str(SETTINGS))
    return {name: read.get(name) for name in names}


def refusal(var: Path, /, **env: str) -> str:
    with pytest.raises(ImproperlyConfigured) as caught:
        load(var, **env)
    return str(caught.value)


def test_without_variables_everything_lies_in_var(tmp_path: Path) -> None:
    settings = load(tmp_path, "DATABASES", "CELERY_BROKER_TRANSPORT", "MEDIA_ROOT", "DEBUG")
    assert settings["DATABASES"]["default"]["NAME"] == str(tmp_path / "groundcrew.sqlite3")
    assert settings["DATABASES"]["default"]["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert settings["CELERY_BROKER_TRANSPORT"] == "config.processes.broker:Transport"
    assert settings["MEDIA_ROOT"] == tmp_path / "media"
    assert settings["DEBUG"] is False


def test_a_folder_with_characters_of_an_url_holds_the_database(tmp_path: Path) -> None:
    var = tmp_path / "50% of #1?"
    assert load(var, "DATABASES")["DATABASES"]["default"]["NAME"] == str(var / "groundcrew.sqlite3")


def test_the_key_of_the_embedded_default_is_kept(tmp_path: Path) -> None:
    first, second = (load(tmp_path, "SECRET_KEY")["SECRET_KEY"] for _ in range(2))
    assert first == second
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600


def test_the_planner_is_told_about_the_disk_unless_the_address_says_otherwise(tmp_path: Path) -> None:
    url = "postgres://user:password@database/groundcrew"
    for address, options in (
        (url, "-c random_page_cost=1.1 -c jit=off"),
        (f"{url}?options=-c%20jit%3Don", "-c jit=on"),
    ):
        settings = load(tmp_path, "DATABASES", DATABASE_URL=address, GROUNDCREW_SECRET_KEY="k" * 50)
        assert settings["DATABASES"]["default"]["OPTIONS"]["options"] == options


def test_another_database_needs_a_key_of_its_own(tmp_path: Path) -> None:
    url = "postgres://user:password@database/groundcrew"
    assert "GROUNDCREW_SECRET_KEY" in refusal(tmp_path, DATABASE_URL=url)
    settings = load(tmp_path, "DATABASES", "SECRET_KEY", DATABASE_URL=url, GROUNDCREW_SECRET_KEY="k" * 50)
    assert settings["SECRET_KEY"] == "k" * 50
    database = settings["DATABASES"]["default"]
    assert (database["HOST"], database["CONN_MAX_AGE"], database["CONN_HEALTH_CHECKS"]) == (
        "database",
        600,
        False,
    )


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("GROUNDCREW_MAX_PIXELS", "many", "GROUNDCREW_MAX_PIXELS has to be a whole number, not 'many'"),
        ("GROUNDCREW_MAX_PIXELS", "-1", "GROUNDCREW_MAX_PIXELS has to be a whole number, not '-1'"),
        ("GROUNDCREW_TOKEN_DAYS", "0", "GROUNDCREW_TOKEN_DAYS has to be at least 1, not 0"),
        ("GROUNDCREW_LOG_LEVEL", "LOUD", "GROUNDCREW_LOG_LEVEL has to be one of DEBUG, INFO, "),
        ("GROUNDCREW_LOG_FORMAT", "xml", "GROUNDCREW_LOG_FORMAT has to be one of text, json, not 'xml'"),
        ("GROUNDCREW_VAR", "/proc/none/x", "GROUNDCREW_VAR: the folder /proc/none/x cannot be made"),
        ("DATABASE_URL", "foo", "DATABASE_URL has to be postgres://"),
        ("DATABASE_URL", "mysql://u:p@host/name", "DATABASE_URL has to be postgres://"),
        ("DATABASE_URL", "postgres://host:port/name", "DATABASE_URL has to be postgres://"),
        ("REDIS_URL", "foo", "REDIS_URL has to be redis://"),
        ("GROUNDCREW_CONTACT", "call me", "GROUNDCREW_CONTACT must be an e-mail address, or an address that"),
        ("GROUNDCREW_DEBUG", "maybe", "GROUNDCREW_DEBUG has to be 1 or 0, not 'maybe'"),
        ("GROUNDCREW_S3_ENDPOINT", "minio:9000", "has to be an address such as https://s3.example.org, not"),
        (
            "GROUNDCREW_S3_ENDPOINT",
            "http://minio:90000",
            "GROUNDCREW_S3_ENDPOINT has to be an address such as",
        ),
        ("GROUNDCREW_CHUNKERS", "de,fr=my-french", "has to be key=value,key=value, not de"),
    ],
)
def test_a_malformed_variable_is_named(tmp_path: Path, name: str, value: str, said: str) -> None:
    assert said in refusal(tmp_path, **{name: value})


def test_a_password_is_not_repeated(tmp_path: Path) -> None:
    said = refusal(tmp_path, DATABASE_URL="postgress://user:hunter2@host/name")
    assert "DATABASE_URL" in said and "hunter2" not in said


def test_redis_and_s3_are_taken_where_they_are_named(tmp_path: Path) -> None:
    settings = load(
        tmp_path,
        "CELERY_BROKER_URL",
        "STORAGES",
        REDIS_URL="redis://broker:6379/1",
        GROUNDCREW_S3_BUCKET="images",
    )
    assert settings["CELERY_BROKER_URL"] == "redis://broker:6379/1"
    assert settings["STORAGES"]["default"]["OPTIONS"]["bucket_name"] == "images"
    assert settings["STORAGES"]["default"]["OPTIONS"]["querystring_auth"] is True


def test_no_link_to_a_bucket_is_asked_for_longer_than_one_can_be_valid(tmp_path: Path) -> None:
    said = refusal(tmp_path, GROUNDCREW_S3_BUCKET="images", GROUNDCREW_S3_LINK_SECONDS="604801")
    assert said == "GROUNDCREW_S3_LINK_SECONDS has to be at most 604800, not 604801."


def test_browsers_can_have_another_address_of_the_bucket(tmp_path: Path) -> None:
    inside = {"GROUNDCREW_S3_BUCKET": "images", "GROUNDCREW_S3_ENDPOINT": "http://minio:9000"}
    settings = load(tmp_path, "STORAGES", "IMAGE_ORIGINS", **inside)
    assert settings["IMAGE_ORIGINS"] == ["http://minio:9000"]
    outside = {**inside, "GROUNDCREW_S3_PUBLIC_ENDPOINT": "https://images.example.org/"}
    settings = load(tmp_path, "STORAGES", "IMAGE_ORIGINS", GROUNDCREW_TLS="1", **outside)
    for name in ("default", "replacing"):
        options = settings["STORAGES"][name]["OPTIONS"]
        assert options["endpoint_url"] == "http://minio:9000"
        assert options["public_endpoint_url"] == "https://images.example.org"
    assert settings["IMAGE_ORIGINS"] == ["https://images.example.org"]
    said = refusal(tmp_path, GROUNDCREW_TLS="1", **inside)
    assert "Set GROUNDCREW_S3_PUBLIC_ENDPOINT to the https address" in said


@pytest.mark.slow("a process of its own")
def test_the_deployment_check_is_clean_behind_tls(tmp_path: Path) -> None:
    checked = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        env={"PATH": os.environ["PATH"], "GROUNDCREW_VAR": str(tmp_path), "GROUNDCREW_TLS": "1"},
        cwd=BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (checked.returncode, checked.stderr) == (0, "")
