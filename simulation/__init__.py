"""Demo scenes with known truth, and simulated workers that speak only HTTP."""
