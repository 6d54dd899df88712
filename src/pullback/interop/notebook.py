"""Lists, tuples and dictionaries that hold tensors show themselves in a notebook, as tensors do."""

from __future__ import annotations

import sys

from ..pictures.values import html_of_structure


def show_structures() -> None:
    """Have the IPython that runs show structures with tensors in them as HTML; it asks of all others nothing, and shows them as ever."""
    shell = sys.modules["IPython"].get_ipython()
    if shell is not None:
        formatter = shell.display_formatter.formatters["text/html"]
        for kind in (list, tuple, dict):
            formatter.for_type(kind, html_of_structure)


__all__ = ["show_structures"]
