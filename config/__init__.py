"""Settings and entry points. Importing the package gives Celery its application."""

from config.celery import app as celery_app

__all__ = ("celery_app",)
