"""What researchers do about judgments, chains and captions: decide, set aside, chunk anew, edit, check."""
