"""Readers of data sets: a folder as in Flickr30k Entities, JSON lines, Parquet; also in a ZIP archive."""
