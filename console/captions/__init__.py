"""The pages on which a researcher edits and withdraws captions."""
