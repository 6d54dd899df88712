"""Name scopes for functions that make several nodes; eager execution has no names and pays nothing for them."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from ..ir.context import current

_NO_SCOPE = nullcontext("")


def scope(name: str | None, default: str) -> AbstractContextManager[str]:
    """Open the name scope `name` (or `default`) of the graph being built.

    Gives the scope's own name with a slash: the node named so bears the name that the user asked for.
    """
    graph = current().graph
    return _NO_SCOPE if graph is None else graph.name_scope(name or default)
