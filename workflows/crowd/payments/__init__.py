"""Payments on platforms: they are owed, paid, booked in the ledger, and sometimes withdrawn."""
