"""Workers: who may answer for a project, what platforms say about them, and what researchers note."""
