"""Measures over phrase-grounding data sets and over predictions for them: data in, values out.

This package imports neither Django nor Groundcrew's other packages. `python -m evaluation --help` says what
it does.
"""
