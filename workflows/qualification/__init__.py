"""Tries at a qualification test: begin one, explain its training, score its test."""
