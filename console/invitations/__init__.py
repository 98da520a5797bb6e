"""Invitations: links by which direct workers join a project, made, seen and revoked."""
