"""The rules of models that judge."""
