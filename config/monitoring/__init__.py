"""What tells operators how the service is: probes, metrics, logs and the ids in them."""
