from __future__ import annotations

import pytest
from pytest_django.fixtures import Settings

from tests.workflows.crowd.scene import SITE


@pytest.fixture(autouse=True)
def site(settings: Settings) -> None:
    settings.SITE = SITE
