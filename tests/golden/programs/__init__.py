"""Programs that ask about behaviour rather than about one op: structure, names, errors, printing, sessions, tapes.  See `kit.py`."""
