"""People who come to the researchers' pages.

There is a client for each role, one for staff without a role, and one for somebody who is not logged in.
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from annotation.models import Project
from tests.factories import NOW
from workflows.members.models import Membership


def client_of(name: str, role: str = "") -> Client:
    """Return a client that is logged in as staff of this name, with the role if one is given."""
    user = User.objects.create(username=name, is_staff=True)
    if role:
        user.groups.add(Group.objects.get(name=role))
    client = Client()
    client.force_login(user)
    return client


def join_as(name: str, project: Project, role: str) -> Membership:
    """Make the user of this name a member of the project."""
    user = User.objects.get(username=name)
    return Membership.objects.create(user=user, project=project, role=role, by="ada", created_at=NOW)


@pytest.fixture
def manager(db: None) -> Client:
    """Return a client who may do everything except administer accounts."""
    return client_of("mona", "manager")


@pytest.fixture
def reviewer(db: None) -> Client:
    """Return a client who may decide."""
    return client_of("rita", "reviewer")


@pytest.fixture
def viewer(db: None) -> Client:
    """Return a client who may only look."""
    return client_of("vic", "viewer")


@pytest.fixture
def outsider(db: None) -> Client:
    """Return a client of staff without a role."""
    return client_of("otto")


@pytest.fixture
def nobody(db: None) -> Client:
    """Return a client who is not logged in."""
    return Client()
