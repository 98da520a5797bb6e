"""Publications: what a batch offers on a platform, from the plan to its end."""
