"""Functions: Python functions traced once per kind of argument into bodies, and what makes their Python control flow part of the graph."""
