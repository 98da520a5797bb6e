"""Boxes that models suggest for mentions: their import as sets, and what workers are shown of them."""
