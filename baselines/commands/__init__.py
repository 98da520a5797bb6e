"""The sub-commands of `python -m baselines`: every module of this package is one.

A module has `register(systems)`, which adds its parser; the parser's default `run` gets what was given. It
may also have `measure(work)`, which trains and measures its systems, and returns parts of `report`'s page.
"""
