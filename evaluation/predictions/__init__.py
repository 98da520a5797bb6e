"""Readers of what systems predict. docs/evaluation.md has the formats, and `schemas` their schemas."""
