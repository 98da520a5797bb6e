"""The types of mentions that a project adds to the eight, with their nouns, in versions."""
