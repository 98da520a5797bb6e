#!/usr/bin/env python
"""Django's command line: `python manage.py help` lists the commands."""

from __future__ import annotations

import sys

if __name__ == "__main__":
    try:  # loading takes a moment, in which somebody may think better of it
        from config.command_line import main

        main(sys.argv)
    except KeyboardInterrupt:
        sys.stderr.write("\nInterrupted.\n")
        sys.exit(130)  # as a shell says it
