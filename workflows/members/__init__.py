"""Who may do what in a project: members, their roles, and the links by which they come."""
