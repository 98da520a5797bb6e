"""What the researchers' pages cost."""
