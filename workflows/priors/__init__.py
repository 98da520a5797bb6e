"""What is likely before a worker is asked: versions of priors that are fitted on a project's own captions."""
