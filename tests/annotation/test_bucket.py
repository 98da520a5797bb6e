"""The storage in a bucket, against a server that refuses what servers of others than Amazon often refuse."""

from __future__ import annotations

import time
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from botocore.exceptions import BotoCoreError
from django.core.files.base import ContentFile, File

from annotation import bucket
from annotation.bucket import ATTEMPTS, CONNECT_SECONDS, READ_SECONDS, BucketStorage, client_config
from tests.bucket_server import KEY_ID, REGION, SECRET, BucketServer, bucket_server

PUBLIC = "images.example.org"


@pytest.fixture(scope="module")
def running() -> Iterator[BucketServer]:
    with bucket_server(PUBLIC) as server:
        yield server


@pytest.fixture
def server(running: BucketServer, monkeypatch: pytest.MonkeyPatch) -> BucketServer:
    """An empty server, with the credentials where boto3 looks for them."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY_ID)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    running.objects.clear()
    running.asked.clear()
    return running


def stored(server: BucketServer, **options: Any) -> BucketStorage:
    return BucketStorage(
        **{
            "bucket_name": "photos",
            "region_name": REGION,
            "endpoint_url": server.url,
            "file_overwrite": False,
        }
        | options
    )


def test_a_file_is_stored_found_listed_read_and_deleted(server: BucketServer) -> None:
    storage = stored(server, location="site")
    name = storage.save("pets/ä & b.jpg", ContentFile(b"x" * 1000))
    assert server.objects == {"photos/site/pets/ä & b.jpg": b"x" * 1000}
    assert storage.exists(name) and not storage.exists("pets/none.jpg")
    assert storage.listdir("pets") == ([], ["ä & b.jpg"]) and storage.listdir("") == (["pets"], [])
    with storage.open(name) as file:
        assert file.read() == b"x" * 1000
    with pytest.raises(FileNotFoundError):
        storage.open("pets/none.jpg")
    storage.delete(name)
    assert server.objects == {}
    with pytest.raises(Exception, match="NotImplemented"):
        BucketStorage(
            bucket_name="photos", region_name=REGION, endpoint_url=server.url
        ).connection.meta.client.put_object(Bucket="photos", Key="a", Body=b"x", ChecksumAlgorithm="CRC32")


def test_a_large_file_is_sent_in_parts(server: BucketServer) -> None:
    content = bytes(range(256)) * 80_000  # more than the eight megabytes above which boto3 cuts a file
    stored(server).save("exports/1.zip", File(BytesIO(content)))
    assert server.objects == {"photos/exports/1.zip": content}
    assert len([path for method, path, _ in server.asked if method == "PUT"]) > 1


@pytest.mark.parametrize("endpoint", ["", "https://s3.example.org", "https://x.r2.cloudflarestorage.com"])
@pytest.mark.parametrize("region", ["us-east-1", "us-west-2", "eu-west-1", "ap-southeast-1", "auto"])
def test_every_link_is_signed_with_version_4(
    server: BucketServer, monkeypatch: pytest.MonkeyPatch, region: str, endpoint: str
) -> None:
    link = stored(server, region_name=region, endpoint_url=endpoint or None).url("pets/a.jpg")
    assert "X-Amz-Algorithm=AWS4-HMAC-SHA256" in link and f"%2F{region}%2Fs3%2F" in link
    if not endpoint:
        host = "s3" if region == "us-east-1" else f"s3.{region}"
        assert link.startswith(f"https://photos.{host}.amazonaws.com/"), "or the link of a new bucket fails"


def test_checksums_are_left_to_amazon() -> None:
    for endpoint, wanted in (("", "when_supported"), ("https://s3.example.org", "when_required")):
        config: Any = client_config(endpoint)
        assert config.request_checksum_calculation == config.response_checksum_validation == wanted


def test_a_link_works_and_a_download_goes_on_where_it_broke_off(server: BucketServer) -> None:
    storage = stored(server)
    storage.save("exports/1.zip", ContentFile(b"0123456789"))
    says = {"ResponseContentDisposition": 'attachment; filename="a b.zip"'}
    link = storage.url("exports/1.zip", parameters=says, expire=60)
    whole = httpx.get(link)
    assert (whole.status_code, whole.content) == (200, b"0123456789")
    assert whole.headers["Content-Disposition"] == 'attachment; filename="a b.zip"'
    rest = httpx.get(link, headers={"Range": "bytes=4-"})
    assert (rest.status_code, rest.content, rest.headers["Content-Range"]) == (206, b"456789", "bytes 4-9/10")
    assert httpx.get(link.replace("1.zip", "2.zip")).status_code == 403
    assert httpx.get(link.replace("=60&", "=61&")).status_code == 403


def test_links_are_for_the_address_that_browsers_know(server: BucketServer) -> None:
    storage = stored(server, public_endpoint_url=f"https://{PUBLIC}")
    storage.save("pets/a.jpg", ContentFile(b"photo"))
    assert {headers["host"] for _, _, headers in server.asked} == {urlsplit(server.url).netloc}
    link = storage.url("pets/a.jpg")
    assert link.startswith(f"https://{PUBLIC}/photos/pets/a.jpg?")
    # As the proxy in front of the bucket's server calls it, with the browser's Host.
    asked = link.replace(f"https://{PUBLIC}", server.url)
    assert httpx.get(asked, headers={"Host": PUBLIC}).content == b"photo"
    assert httpx.get(asked).status_code == 403, "the signature covers the host"
    without = httpx.get(stored(server).url("pets/a.jpg"))
    assert without.content == b"photo", "without a public address, links are for the server's own"


def test_a_server_that_is_lost_in_silence_holds_no_thread(
    server: BucketServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert READ_SECONDS + (ATTEMPTS - 1) * CONNECT_SECONDS < 30
    config: Any = client_config(server.url)
    assert (config.connect_timeout, config.read_timeout) == (CONNECT_SECONDS, READ_SECONDS)
    assert config.tcp_keepalive is True
    monkeypatch.setattr(bucket, "READ_SECONDS", 0.2)
    storage = stored(server)
    server.talking.clear()
    begun = time.monotonic()
    try:
        with pytest.raises(BotoCoreError, match="Read timeout"):
            storage.exists("pets/a.jpg")
    finally:
        server.talking.set()
    assert len(server.asked) == ATTEMPTS
    assert time.monotonic() - begun < 30
