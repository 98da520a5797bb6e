"""The researchers' pages of a site that demos have left behind, found by their addresses."""

from __future__ import annotations

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.db.models import Count
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Batch, Chain, ImageWork, Project
from benchmarks.console.pages import addresses
from workflows.analysis.dataset_statistics import keep_statistics, want_statistics
from workflows.priors.fit_prior import fit_prior


def session_of(name: str) -> dict[str, str]:
    """Make a researcher who may do everything, and return the cookie of a session that they have begun."""
    user = get_user_model().objects.create_superuser(name)
    store = SessionStore()
    store[SESSION_KEY] = str(user.pk)
    store["_auth_user_backend"] = "django.contrib.auth.backends.ModelBackend"
    store[HASH_SESSION_KEY] = user.get_session_auth_hash()
    store.create()
    assert store.session_key
    return {"name": "sessionid", "value": store.session_key}


def count_all(researcher: str) -> None:
    """Count statistics and agreement of the first demo, and fit a prior, so that their pages show some."""
    project, now = Project.objects.get(name="demo-1"), timezone.now()
    for source in ("crowd", "agreement"):
        want_statistics(project=project, source=source, batch=None, now=now)
        keep_statistics(project_id=project.pk, source=source, batch_id=None, clock=timezone.now)
    fit_prior(project=project, by=researcher, now=now)


def pages(researcher: str) -> dict[str, str]:
    """Return name -> address of each page that this researcher can open: of one row of each kind.

    The name is that of the address, as in review-chain.
    """
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(User.objects.get(username=researcher))
    found = {name.replace(":", "-"): address for name, address in addresses(brief=True)} | _telling()
    return {name: address for name, address in found.items() if _is_page(client, address)}


def _telling() -> dict[str, str]:
    """Return the addresses of rows that show more than the first ones do."""
    worked = ImageWork.objects.filter(chains__boxes_accepted__gt=0)
    rich = worked.annotate(boxes=Count("chains__boxes")).order_by("-boxes", "pk")[0]
    waiting = Chain.objects.filter(cases__closed_at=None, cases__isnull=False, boxes_accepted__gt=0)
    chain = waiting.order_by("pk").first() or rich.chains.order_by("-boxes_accepted", "pk")[0]
    published = Batch.objects.exclude(publications=None).order_by("pk")[0]
    return {
        "review-chain": reverse("review:chain", args=[chain.pk]),
        "inspector-image": reverse("inspector:image", args=[rich.image_id]),
        "crowd-batch": reverse("crowd:batch", args=[published.pk]),
    }


def _is_page(client: Client, address: str) -> bool:
    response = client.get(address)
    return response.status_code == 200 and response.headers["Content-Type"].startswith("text/html")
