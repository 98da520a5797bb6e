"""Participations: one person's place on a publication, from arrival to completion."""
