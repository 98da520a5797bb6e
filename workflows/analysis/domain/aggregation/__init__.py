"""What many judgments say together: labels, how able workers are, and how far they agree. numpy, no Django.

Nothing of this moves a chain: the protocol's own rules (`workflows.pipeline.domain.agreement`) do. It tells a
researcher where these rules and the crowd as a whole differ.
"""
