"""What grows with the data."""
