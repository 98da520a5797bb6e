"""Decides which workers are believed: admission, standings, trust, page scores and pace."""
