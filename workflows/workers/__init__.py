"""Who may answer for a project, and what is noted about each worker."""
