"""What each verdict leads to: THE PAGE, link strategies, agreement, and the steps that apply them."""
