"""Emulators of crowd platforms, which tests and the demo run against."""
