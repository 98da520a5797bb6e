"""The priors of a project: what they were fitted on, how they do, and fitting the next one."""
