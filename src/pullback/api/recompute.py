"""`recompute_grad`: the function runs again in the variable scope of its first run, so `get_variable` finds the same variables."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

from ..base.export import export
from ..control.recompute import Around, recompute_in_gradient
from .variable_scope import get_variable_scope, variable_scope

P = ParamSpec("P")
R = TypeVar("R")


@export("recompute_grad")
def recompute_grad(f: Callable[P, R]) -> Callable[P, R]:
    """`f` without memory of what it computed: a gradient runs it again.

    The arguments' tensors and the results are kept, nothing between.  Gradients reach the arguments, the variables that `f` reads and
    the tensors it takes from outside; right with repeated arguments, inside functions and loops, under forward mode, to any order.
    `f` must do the same when run again: give random operations seeds by argument (`tf.random.stateless_uniform`), and call
    `get_variable` in a variable scope with `reuse=tf.AUTO_REUSE`, which is entered again (ValueError without).

    >>> x = tf.constant(2.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = tf.recompute_grad(lambda x: tf.exp(x * x) * x)(x)
    >>> bool(abs(tape.gradient(y, x) - 9 * tf.exp(4.0)) < 1e-3)
    True
    """
    return recompute_in_gradient(f, _variable_scope)


def _variable_scope() -> Around:
    """How the variable scope of now is entered again."""
    return partial(variable_scope, get_variable_scope())
