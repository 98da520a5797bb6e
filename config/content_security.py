"""The Content Security Policy (CSP level 3): what a browser may load, run and frame.

Inline scripts and styles are not allowed anywhere, so the text of a caption or a comment can never run.
"""

from __future__ import annotations

import os
import re
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from config.environment import words

NONE, SELF = "'none'", "'self'"

_ORIGIN = re.compile(
    r"https?://(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:[0-9]{1,5})?|https?://\[[0-9a-f:]+\](:[0-9]{1,5})?"
)


def origins(name: str, default: str = "") -> list[str]:
    """Return the variable `name`: origins, `self` or `none`, as they are written in a policy."""
    found = []
    for word in words(name, default):
        plain = word.strip("'").lower()
        if plain not in ("none", "self") and not _ORIGIN.fullmatch(plain):
            raise ImproperlyConfigured(
                f"{name} has to be none, self, or origins such as https://*.example.org, not {word!r}."
            )
        found.append(f"'{plain}'" if plain in ("none", "self") else plain)
    if NONE in found and len(found) > 1:
        raise ImproperlyConfigured(f"{name} has to be none alone, or without none.")
    return found


def bucket_origins(bucket: str, region: str, endpoint: str) -> list[str]:
    """Return the origins of a bucket's presigned links, with those that S3 may redirect to.

    They are Amazon's own if `endpoint` is empty. Without a `region`, boto3's environment variable is used.
    """
    if endpoint:
        parts = urlsplit(endpoint)
        return [f"{parts.scheme}://{parts.netloc}".lower()]
    region = region or os.environ.get("AWS_DEFAULT_REGION", "")
    top = "amazonaws.com.cn" if region.startswith("cn-") else "amazonaws.com"
    hosts = ["s3", *((f"s3.{region}", f"s3-{region}") if region else ())]
    if "." in bucket:  # no certificate fits such a name before the host, so it goes into the path
        return [f"https://{host}.{top}" for host in hosts]
    return [f"https://{bucket}.{host}.{top}" for host in hosts]


def site_policy(images: list[str]) -> dict[str, Any]:
    """Return the policy of all addresses. `images` are the origins of pictures, besides our own."""
    return {
        "default-src": [SELF],
        "img-src": [SELF, *images],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }


def pages_policy(ancestors: list[str], reported: list[str]) -> dict[str, Any]:
    """Return what the workers' pages replace in the policy.

    They say which sites may frame them and which platforms they report finished pages to. Only Svelte's own
    templates become HTML, and only one script becomes a service worker (frontend/src/pages/offline.ts).
    """
    return {
        "form-action": [SELF, *reported],
        "frame-ancestors": ancestors or [NONE],
        "base-uri": [SELF],  # the document says where the site is, which may be below a prefix
        "require-trusted-types-for": ["'script'"],
        "trusted-types": ["svelte-trusted-html", "offline-worker"],
    }


def console_policy() -> dict[str, Any]:
    """Return what the researchers' pages add to the policy.

    django-unfold shows and hides parts of its pages with Alpine, which makes functions of the text of
    attributes. So inline scripts do not run there either, but text in an `x-` attribute would, even escaped.
    Our templates never put text from outside there.
    """
    return {"script-src": [SELF, "'unsafe-eval'"]}
