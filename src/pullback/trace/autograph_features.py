"""Which conversions AutoGraph may be asked for by name."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from ..base.export import export


@export("autograph.experimental.Feature")
class Feature(enum.Enum):
    """Optional conversions, for `experimental_optional_features`: `BUILTIN_FUNCTIONS` makes `print` print values; `EQUALITY_OPERATORS`
    makes `==` and `!=` compare tensors by element where programs have switched that off; `ASSERT_STATEMENTS` makes `assert` an operation
    in a session's graph, as it is in functions.  All else is done without asking, if it is.

    >>> Feature = tf.autograph.experimental.Feature
    >>> Feature.LISTS in Feature.all(), Feature.LISTS in Feature.all_but(Feature.LISTS)
    (True, False)
    """

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"

    @classmethod
    def all(cls) -> tuple[Feature, ...]:
        """All features."""
        return tuple(cls)

    @classmethod
    def all_but(cls, exclude: object) -> tuple[Feature, ...]:
        """All features but one, or some, and `ALL`."""
        left_out: Iterable[Any] = exclude if isinstance(exclude, (list, tuple, set)) else (exclude,)
        return tuple(feature for feature in cls if feature not in {cls.ALL, *left_out})


def features_of(options: object) -> frozenset[Feature]:
    """The features that `experimental_autograph_options` asks for: None, one or several."""
    if options is None:
        return frozenset()
    return frozenset((options,) if isinstance(options, Feature) or not isinstance(options, Iterable) else options)


_asked: ContextVar[frozenset[Feature]] = ContextVar("asked features", default=frozenset())


@contextmanager
def request_features(features: frozenset[Feature]) -> Iterator[None]:
    """The features that rewritten code called in the block goes by."""
    token = _asked.set(features)
    try:
        yield
    finally:
        _asked.reset(token)


def is_asked_for(feature: Feature) -> bool:
    """Whether rewritten code goes by `feature` here."""
    return not _asked.get().isdisjoint((Feature.ALL, feature))
