"""Settings and entry points. To import the package makes the Celery application."""

from config.celery import app as celery_app

__all__ = ("celery_app",)
