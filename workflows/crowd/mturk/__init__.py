"""Amazon Mechanical Turk as a provider, through its requester API."""
