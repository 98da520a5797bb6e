"""Formats of data sets with mentions, chains and boxes: all are written, and two of them read."""
