"""Hands out pages of items and takes their answers: queue, composition, claim, submission and leases."""
