"""Readers and writers of file formats. They do not use the database. docs/formats.md describes each."""
