"""Formats of captions alone, as other people publish them: they are read, and never written."""
