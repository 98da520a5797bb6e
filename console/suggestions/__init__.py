"""Sets of boxes that models suggest: import them, look at them, and see which batches show them."""
