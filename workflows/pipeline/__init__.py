"""What each verdict leads to: tables of moves, link strategies, agreement, and the steps that apply them."""
