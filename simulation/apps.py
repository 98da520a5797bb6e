from django.apps import AppConfig


class SimulationConfig(AppConfig):
    """Demo scenes and a simulated crowd; no models."""

    name = "simulation"
