"""Formats of dates and times, by language, as Django looks for them."""
