"""What a notebook shows otherwise: structures that hold tensors as HTML, as tensors are, and errors that end at the program's line."""

from __future__ import annotations

import sys
from typing import Any

from ..ir.tracebacks import trim
from ..pictures.values import html_of_structure


def show_structures() -> None:
    """Have the IPython that runs show structures with tensors in them as HTML; it asks of all others nothing, and shows them as ever."""
    shell = sys.modules["IPython"].get_ipython()
    if shell is not None:
        formatter = shell.display_formatter.formatters["text/html"]
        for kind in (list, tuple, dict):
            formatter.for_type(kind, html_of_structure)


def trim_errors() -> None:
    """Have the IPython that runs show errors without the library's frames; it catches them before Python would show them."""
    shell = sys.modules["IPython"].get_ipython()
    if shell is None:
        return
    show = shell.showtraceback

    def show_trimmed(exc_tuple: Any = None, *args: Any, **kwargs: Any) -> Any:
        error = sys.exc_info()[1] if exc_tuple is None else exc_tuple[1]
        if isinstance(error, BaseException):
            trim(error)
            exc_tuple = exc_tuple and (exc_tuple[0], error, error.__traceback__)
        return show(exc_tuple, *args, **kwargs)

    shell.showtraceback = show_trimmed
