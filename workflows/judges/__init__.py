"""Models that judge boxes: their answers, how good these turn out to be, and how much they may weigh."""
