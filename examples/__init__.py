"""Clients of models that judge boxes. You may copy them: they need Python alone."""
