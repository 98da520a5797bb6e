"""Images found and looked at: the search below a project, and an image with everything known about it."""
