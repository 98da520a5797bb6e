"""The Content Security Policy (CSP level 3): what a browser may load, run and frame.

No inline script or style anywhere: what a caption or a comment says can never run.
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
    """Return the variable `name`: origins, `self` or `none`, as a policy has them."""
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
    """Return where presigned links of a bucket may lead to, also after S3 sent the browser to the right
    region.

    Amazon's own names where `endpoint` is empty. Without a `region`, boto3's environment variable counts.
    """
    if endpoint:
        parts = urlsplit(endpoint)
        return [f"{parts.scheme}://{parts.netloc}".lower()]
    region = region or os.environ.get("AWS_DEFAULT_REGION", "")
    top = "amazonaws.com.cn" if region.startswith("cn-") else "amazonaws.com"
    hosts = ["s3", *((f"s3.{region}", f"s3-{region}") if region else ())]
    if "." in bucket:  # no certificate fits such a name in front: it goes into the path
        return [f"https://{host}.{top}" for host in hosts]
    return [f"https://{bucket}.{host}.{top}" for host in hosts]


def site_policy(images: list[str]) -> dict[str, Any]:
    """Of every address; `images` are the origins that pictures come from, besides our own."""
    return {
        "default-src": [SELF],
        "img-src": [SELF, *images],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }


def pages_policy(ancestors: list[str], reported: list[str]) -> dict[str, Any]:
    """Return what the workers' pages replace: who may frame them, and which platforms they tell that a page
    is done; only Svelte's own templates become HTML.
    """
    return {
        "form-action": [SELF, *reported],
        "frame-ancestors": ancestors or [NONE],
        "require-trusted-types-for": ["'script'"],
        "trusted-types": ["svelte-trusted-html"],
    }


def console_policy() -> dict[str, Any]:
    """Return what the researchers' pages add.

    django-unfold shows and hides parts of its pages by Alpine, which makes functions of what its attributes
    say. So no inline script runs there, either, but what is escaped into an `x-` attribute would: none of our
    templates puts anything there that comes from outside.
    """
    return {"script-src": [SELF, "'unsafe-eval'"]}
