"""Background jobs: they import uploads and other corpora, and export versions of a project's data set."""
