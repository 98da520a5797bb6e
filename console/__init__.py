"""The researchers' console under /admin/: thin pages over selectors and services. No rule lives here."""
