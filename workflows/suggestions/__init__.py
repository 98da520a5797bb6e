"""Boxes that models suggest for mentions: importing them as sets, and which of them workers are shown."""
