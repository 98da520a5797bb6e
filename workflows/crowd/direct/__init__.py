"""Workers whom a project invites and pays itself, as a provider."""
