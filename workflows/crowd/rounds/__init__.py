"""Rounds: the steps that keep our rows and the platform equal, and the report of what differs."""
