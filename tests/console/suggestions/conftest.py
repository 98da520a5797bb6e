from tests.workflows.conftest import media

__all__ = ["media"]
