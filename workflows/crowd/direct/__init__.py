"""Direct workers: those whom a project invites and pays itself, without a platform."""
