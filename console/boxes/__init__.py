"""The wall of boxes: every box of a project as a part of its photograph, with conditions."""
