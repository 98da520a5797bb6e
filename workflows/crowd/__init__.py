"""Crowd platforms: the provider protocol, its providers, what is published there and who is paid there."""
