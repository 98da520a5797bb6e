"""Clients of models that help. You may copy them: they need Python alone, but for the detector."""
