"""An emulator of Prolific's REST API and of its participants, for tests and demonstrations. See README.md."""
