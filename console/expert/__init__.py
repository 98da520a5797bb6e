"""Expert mode: one researcher annotates a whole image on one screen, alone or through a queue."""
