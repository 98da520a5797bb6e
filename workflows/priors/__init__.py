"""What is likely before a worker is asked: priors that are fitted on a project's own captions, in versions."""
