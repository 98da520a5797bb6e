"""Any platform that sends people by an address: a researcher carries its lists to us, and ours to it."""
