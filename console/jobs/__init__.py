"""Imports, exports and the jobs that do them: thin pages over workflows.services.jobs and its neighbours."""
