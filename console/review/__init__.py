"""The pages under /admin/review/: the queue, the history of a chain, and decisions about it.

Selectors read, and the services of `workflows` write. Views join the two and contain no rules.
"""
