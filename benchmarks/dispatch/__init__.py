"""What claims and submissions cost."""
