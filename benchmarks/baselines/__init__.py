"""How fast the baselines are."""
