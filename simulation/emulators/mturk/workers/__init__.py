"""The side of the workers: what they can do, as pages for a browser and as JSON for programs."""
