"""The rules of suggestions."""
