"""Background jobs: imports of corpora and suggestions, exports and evaluations of a project's data set."""
