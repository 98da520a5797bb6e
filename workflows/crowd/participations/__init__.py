"""Participations: each is one worker's place on a publication, from arrival to completion."""
