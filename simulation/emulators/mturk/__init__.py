"""An emulator of Mechanical Turk's requester API that unmodified boto3 talks to; see README.md."""
