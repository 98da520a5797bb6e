"""Counts what pages show, from the rows themselves. Reads only; workflows.services.counting keeps it."""
