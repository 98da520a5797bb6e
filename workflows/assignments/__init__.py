"""Pages of items: the queue, composing a page, claim, submission, leases, and what a page shows."""
