"""The review queue. It holds the cases that a researcher should look at; each is opened once and closed by a
decision."""
