"""Counts what pages show, from the rows themselves. Reads only; workflows.analysis.counts.refresh keeps it."""
