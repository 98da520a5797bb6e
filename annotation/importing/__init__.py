"""Import of a corpus: read, prepared, checked, stored. docs/importing.md says what is kept and reported."""
