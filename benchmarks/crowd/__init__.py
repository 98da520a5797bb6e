"""What rounds with a platform cost."""
