from __future__ import annotations

import pytest
from pytest_django.fixtures import Settings

from tests.workflows.crowd.scene import SITE, Scene


@pytest.fixture
def scene(settings: Settings) -> Scene:
    settings.SITE = SITE
    return Scene()
