"""Payments on platforms: what is owed, booked, paid and withdrawn."""
