"""A fault drill: kills, full disks, locks, clocks and networks. Receipts are the judge."""
