"""A platform that only sends people to an address: pages for participants, and lists for the researcher."""
