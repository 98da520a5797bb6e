"""What researchers do about judgments and chains: decide, set judgments aside, chunk captions anew."""
