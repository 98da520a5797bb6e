"""Who comes to the researchers' pages: one client a role, staff without any, and somebody not logged in."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client


def client_of(name: str, role: str = "") -> Client:
    """Staff of this name, in the group of the role where there is one, logged in."""
    user = User.objects.create(username=name, is_staff=True)
    if role:
        user.groups.add(Group.objects.get(name=role))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def manager(db: None) -> Client:
    """May do everything but administer accounts."""
    return client_of("mona", "manager")


@pytest.fixture
def reviewer(db: None) -> Client:
    """May decide."""
    return client_of("rita", "reviewer")


@pytest.fixture
def viewer(db: None) -> Client:
    """May look, and nothing else."""
    return client_of("vic", "viewer")


@pytest.fixture
def outsider(db: None) -> Client:
    """Staff without a role."""
    return client_of("otto")


@pytest.fixture
def nobody(db: None) -> Client:
    """Did not log in."""
    return Client()
