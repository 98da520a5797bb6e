"""What researchers do about judgments and chains: decide, set aside, chunk captions anew."""
