"""A campaign of faults: kills, full disks, locks, clocks and networks. Receipts are the judge."""
