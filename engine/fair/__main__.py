"""`python -m engine.fair FILE`."""

import sys

from engine.fair.command import main

if __name__ == "__main__":
    sys.exit(main())
