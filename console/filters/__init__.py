"""Saved filters of the pages of images and of boxes."""
