"""The lists of the admin site, in which stored rows are looked up. Actions are on the console's pages.

State follows from judgments, so no row is edited by hand. Only accounts are.
"""

from __future__ import annotations

from console.admin import accounts, corpus, operations, results, work

__all__ = ["accounts", "corpus", "operations", "results", "work"]
