"""The life of a batch: its images, forecast, readiness, launch, changed settings and end."""
