"""The machine: object code compiled, linked, kept on disk and called; threads, entries, addresses."""
