"""Programs that prove findings of the docs about protocols, strategies and quality control: see README.md."""
