"""The types of mentions that a project adds to the eight, with their words, in versions."""
