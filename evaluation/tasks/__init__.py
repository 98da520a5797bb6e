"""The tasks of the command: each turns a data set and files into a report."""
