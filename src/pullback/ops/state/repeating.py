"""Resources that hand out one thing after another, and can hand out again what they did while somebody watched."""

from __future__ import annotations

from contextlib import AbstractContextManager


class Repeating:
    """A resource that remembers what it hands out in the block of `remembering`, and repeats it in that of `repeating` inside."""

    def remembering(self) -> AbstractContextManager[None]:
        """A block in which it is remembered what was handed out."""
        raise NotImplementedError(f"{type(self).__name__} does not remember")

    def repeating(self) -> AbstractContextManager[None]:
        """A block in which what was remembered comes again; after it the resource goes on where it was."""
        raise NotImplementedError(f"{type(self).__name__} does not repeat")


__all__ = ["Repeating"]
