"""Arguments that have an older name and a newer one, of which a call may use one."""

from __future__ import annotations

from typing import Any


def resolve_renamed(new_name: str, new: object, old_name: str, old: object) -> Any:
    """The value of an argument that has two names; None where neither is given. ValueError where both are.

    >>> resolve_renamed("axis", None, "dim", 1)
    1
    """
    if old is None:
        return new
    if new is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'.")
    return old
