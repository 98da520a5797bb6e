"""What is done with images that somebody selected on another page."""
