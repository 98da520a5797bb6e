"""What exports cost."""
