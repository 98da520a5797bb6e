"""The pages of a project's instructions: which there are, how they are edited, and what a worker sees."""
