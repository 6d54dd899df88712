"""The events that programs mark for TensorFlow's profiler."""

from __future__ import annotations

from typing import Self

from ..base.export import export


@export(v2="profiler.experimental.Trace")
class Trace:
    """A block as an event in a profile. TensorFlow's profiler is not here, so that events go nowhere, as they do there while it is off.

    name: the event's.  kwargs: what else the profile is to say of it.  `function.profile` is the profile of a function.

    >>> with tf.profiler.experimental.Trace("train", step_num=1) as event:
    ...     event.set_metadata(rows=3)
    """

    def __init__(self, name: str, **kwargs: object) -> None:
        self._name = name

    def set_metadata(self, **kwargs: object) -> None:
        """More to be said of the event."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        """End the event."""


__all__ = ["Trace"]
