"""Invitations: links by which people join a project as direct workers."""
