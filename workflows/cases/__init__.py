"""The review queue: cases that a researcher should look at, each opened once and closed by a decision."""
