"""Background jobs: imports, exports, uploads, and the versions of a data set that exports leave."""
