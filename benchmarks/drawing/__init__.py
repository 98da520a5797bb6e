"""How smoothly boxes are drawn."""
