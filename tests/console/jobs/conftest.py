from tests.workflows.services.conftest import media

__all__ = ["media"]
