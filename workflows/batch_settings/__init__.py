"""The settings of a batch, with the paper's numbers as defaults, and how stored settings are read."""
