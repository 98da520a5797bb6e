"""How fast predictions are evaluated."""
