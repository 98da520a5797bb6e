"""The life of a project: its creation, name, contact, archive, and deletion."""
