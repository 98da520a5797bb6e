"""The instructions of a project: a researcher's own text and examples for each stage, in versions."""
