"""Crowd platforms: the provider protocol, calls to platforms, and the providers for each platform."""
