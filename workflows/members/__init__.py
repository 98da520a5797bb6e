"""Members: users' roles in one project, and the links by which people get them."""
