"""Who comes to the researchers' pages: somebody who may decide, who may look, who may neither."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client


def _client(name: str, *permissions: str) -> Client:
    user = User.objects.create(username=name, is_staff=True)
    user.user_permissions.add(*Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def reviewer(db: None) -> Client:
    """May decide."""
    return _client("rita", "view_chain", "change_chain")


@pytest.fixture
def viewer(db: None) -> Client:
    """May look, and nothing else."""
    return _client("vic", "view_chain")


@pytest.fixture
def outsider(db: None) -> Client:
    """Staff with other rights."""
    return _client("otto", "view_batch")
