"""Prolific as a provider, through its API."""
