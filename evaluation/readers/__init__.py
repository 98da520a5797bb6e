"""Parsers of formats, for imports too, and readers of data sets in folders, files and ZIP archives."""
