"""Celery's and the server's processes: broker, beat, schedule, time limits, and what ends with what."""
