"""Aggregate judgments: labels, workers' abilities, and agreement. It uses numpy and no Django.

None of this moves a chain: only the protocol's rules (`workflows.pipeline.domain.verdicts`) do. It tells a
researcher where these rules and the crowd as a whole differ.
"""
