"""Work out an image's state from all its judgments and decisions, and compare or write the stored rows."""
