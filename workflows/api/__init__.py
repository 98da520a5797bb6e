"""The workers' REST API, and the document of the workers' pages, which use it."""
