"""What the web server does around Django: bodies, limits, failures, and photographs."""
