"""Makes verification questions, from known images or by hand; counts their answers and retires them."""
