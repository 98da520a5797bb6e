"""People from any platform that sends them by an address: how they arrive, and the lists to and fro."""
