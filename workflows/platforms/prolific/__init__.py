"""Prolific as a crowd provider, through its REST API."""
