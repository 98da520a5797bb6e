"""The S3 bucket for files, if there is one: how it is spoken to, and the links that browsers get."""

from __future__ import annotations

from typing import Any, Literal

from botocore.config import Config
from storages.backends.s3 import S3Storage

CONNECT_SECONDS = 3
READ_SECONDS = 15
ATTEMPTS = 3
"""The first call and two more. If the server is lost in silence, a thread notices within some twenty seconds:
the call on the kept connection waits for its reply, and the others for a new connection."""


def client_config(endpoint: str) -> Config:
    """Return the configuration of every client of S3. `endpoint` is "" for Amazon's own.

    Signature version 4 is demanded because boto3 still signs links in the older regions with version 2, which
    Amazon's newer buckets and most other servers refuse. Since version 1.36, boto3 adds checksums, which
    servers of others often do not know.
    """
    checksums: Literal["when_required", "when_supported"] = "when_required" if endpoint else "when_supported"
    return Config(
        # Amazon's links name the region's own host. From the general one, a new bucket's are redirected, and
        # then fail, because version 4 signs the host.
        s3={"addressing_style": "auto" if endpoint else "virtual"},
        signature_version="s3v4",
        request_checksum_calculation=checksums,
        response_checksum_validation=checksums,
        connect_timeout=CONNECT_SECONDS,
        read_timeout=READ_SECONDS,
        tcp_keepalive=True,
        retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
    )


class BucketStorage(S3Storage):  # type: ignore[misc]  # it has no types
    """A bucket whose links may name another address than that at which this server reaches it.

    A link's signature covers the host. So with `public_endpoint_url`, links are signed for that address.
    """

    def __init__(self, **options: Any) -> None:
        public = options.pop("public_endpoint_url", "")
        config = client_config(options.get("endpoint_url") or "")
        super().__init__(**options, client_config=config)
        self._public = (
            S3Storage(**options | {"endpoint_url": public, "client_config": config}) if public else None
        )

    def url(
        self,
        name: str,
        parameters: dict[str, str] | None = None,
        expire: int | None = None,
        http_method: str | None = None,
    ) -> str:
        """Return a presigned link. `expire` is in seconds."""
        url = super().url if self._public is None else self._public.url
        return str(url(name, parameters, expire, http_method))
