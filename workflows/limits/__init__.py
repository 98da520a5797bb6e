"""Limits at which suggestions are switched off, for a worker or a whole batch, until a researcher decides."""
