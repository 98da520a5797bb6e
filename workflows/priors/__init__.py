"""What is likely before anybody is asked: priors that are fitted on a project's own captions, in versions."""
