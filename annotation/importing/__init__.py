"""Import of a corpus: read, prepared, checked and stored. docs/importing.md says what is kept and reported."""
