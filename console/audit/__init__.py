"""The audit log: what is written into it by the login, and the page that shows it."""
