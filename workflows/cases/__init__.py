"""The review queue: cases that a researcher should look at, opened once and closed by a decision."""
