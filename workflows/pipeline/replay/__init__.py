"""State as a fold over judgments and decisions, and what compares it with the stored rows."""
