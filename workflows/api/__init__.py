"""The workers' REST API, and the page that uses it."""
