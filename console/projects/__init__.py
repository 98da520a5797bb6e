"""The settings of a project: its name, its contact, the archive, and its deletion."""
