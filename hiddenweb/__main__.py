"""`python -m hiddenweb`: the command `hiddenweb`, where it is not installed."""

import sys

from hiddenweb.console.command_line import main

if __name__ == "__main__":
    sys.exit(main())
