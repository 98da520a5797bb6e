"""Export of a project's annotation as a data set. docs/exporting.md says what is written and left out."""
