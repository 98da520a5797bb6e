"""Runs qualification tests: a worker begins a try, gets explanations in training, and is scored."""
