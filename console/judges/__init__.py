"""The models that judge in a project: add them, see how good they are, and take their answers back."""
