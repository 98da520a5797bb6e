"""Amazon Mechanical Turk as a crowd provider, through its requester API."""
