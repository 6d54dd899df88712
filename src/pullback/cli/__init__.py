"""The command line: `pullback run program.py`."""
