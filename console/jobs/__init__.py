"""Imports, exports and the jobs that do them: thin pages over workflows.jobs.job_queue and its neighbours."""
