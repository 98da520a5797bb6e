"""Where the address of the site alone leads: researchers to the console, and everybody else to the work."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.cache import never_cache

WORK = "/work/"


@never_cache
def front_door(request: HttpRequest) -> HttpResponseRedirect:
    """Redirect by who is logged in. A worker has no session, so this takes no query for them."""
    return HttpResponseRedirect(reverse("admin:index") if request.user.is_staff else WORK)
