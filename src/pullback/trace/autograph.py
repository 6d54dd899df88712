"""AutoGraph: Python functions rewritten so that their control flow on tensors becomes part of the graph.

The rewriting is diastatic-malt's (TensorFlow's own AutoGraph as a package of its own, without TensorFlow); what the rewritten code
calls is ours: `autograph_statements` and `autograph_loops`, `autograph_lists` for lists that grow, `autograph_calls` for calls.  A
function whose source cannot be had, or that uses what cannot be rewritten, runs as it is; where that needs a symbolic tensor's value
the error says so.  Functions without such control flow have their calls rewritten by `autograph_straight`; the package is loaded when
another one is first traced.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, overload

from ..base.export import export
from .autograph_calls import ARTIFACT, call_converted, refusals, rewrite_once, source_of, user_errors
from .autograph_features import Feature, features_of, request_features

F = TypeVar("F", bound=Callable[..., Any])
P = ParamSpec("P")
R = TypeVar("R")


def convert_function(
    function: Callable[..., Any], features: frozenset[Feature] = frozenset(), is_requested: bool = False
) -> Callable[..., Any]:
    """`function` with its control flow on tensors made part of the graph, and that of the user's functions it calls.

    is_requested: whether it is marked as such itself, so that it is rewritten in packages too that are left alone otherwise.
    """

    @functools.wraps(function, updated=())
    def call_rewritten(*args: Any, **kwargs: Any) -> Any:
        with user_errors(), request_features(features):
            return call_converted(function, args, kwargs, is_requested=is_requested)

    return call_rewritten


@overload
def do_not_convert(func: F) -> F: ...
@overload
def do_not_convert(func: None = None) -> Callable[[F], F]: ...
@export("autograph.experimental.do_not_convert")
def do_not_convert(func: Callable[..., Any] | None = None) -> Any:
    """Decorator: AutoGraph leaves the function as it is.

    >>> @tf.autograph.experimental.do_not_convert
    ... def sign(x):
    ...     return tf.where(x > 0, 1.0, -1.0)
    >>> float(tf.function(sign)(tf.constant(3.0)))
    1.0
    """
    if func is None:
        return do_not_convert

    @functools.wraps(func, updated=())
    def call_untouched(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **kwargs)

    setattr(call_untouched, ARTIFACT, None)
    return call_untouched


class AutoGraphError(Exception):
    """What AutoGraph cannot do."""


class ConversionError(AutoGraphError):
    """A function that cannot be rewritten."""


@export(v2="autograph.to_graph")
def to_graph(entity: Callable[P, R], recursive: bool = True, experimental_optional_features: object | None = None) -> Callable[P, R]:
    """`entity` with its control flow rewritten, as `function` would do it, but not traced.

    recursive: accepted; the user's functions that it calls are always rewritten.  experimental_optional_features: one
    `tf.autograph.experimental.Feature` or several.  Raises ConversionError for what has no code: numbers, classes, built-in functions.

    >>> double_positive = tf.autograph.to_graph(lambda x: 2 * x if x > 0 else x)
    >>> float(double_positive(tf.constant(3.0)))
    6.0
    """
    _rewrite_entity(entity)
    return convert_function(entity, features_of(experimental_optional_features), is_requested=True)


@export(v2="autograph.to_code")
def to_code(entity: Callable[..., Any], recursive: bool = True, experimental_optional_features: object | None = None) -> str:
    """The code that `to_graph` makes of `entity`, as text.

    Raises ConversionError for what has no code, or whose source cannot be had.

    >>> tf.autograph.to_code(lambda x: x + 1).split()[0]
    'tf__lam'
    """
    return source_of(_rewrite_entity(entity))


def _rewrite_entity(entity: Any) -> Callable[..., Any]:
    try:
        return rewrite_once(entity)
    except refusals() as error:
        raise ConversionError(f"converting {entity}: {type(error).__name__}: {error}") from error
