"""The page of a project's own types of mentions: their words, and their versions."""
