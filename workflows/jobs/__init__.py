"""Background jobs: they import corpora, and export and evaluate versions of a project's data set."""
