"""What every room uses: locks, heartbeats, append-only rows, the audit log, addresses."""
