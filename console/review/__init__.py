"""The researchers' pages under /admin/review/: what waits, what happened to a chain, and deciding about it.

Selectors read, the services of `workflows.services` write; views join the two and know nothing of the rules.
"""
