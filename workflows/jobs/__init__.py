"""Background jobs: they import corpora and suggestions, and export and evaluate versions of a project's data set."""
