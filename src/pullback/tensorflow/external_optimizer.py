"""`tf.contrib.opt.ScipyOptimizerInterface`: SciPy's minimizers on the variables of a TensorFlow 1 graph.

The variables travel as one float64 vector. Each evaluation assigns them, runs the loss and its gradients, and when an evaluation
fails the variables are as they were before `minimize`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..api.collections import trainable_variables
from ..api.default import get_default_graph
from ..api.endpoints import UnconnectedGradients
from ..api.gradients import gradients_v1
from ..api.names import placeholder
from ..api.session import Session, get_default_session
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ir.tensor import TensorLike
from . import logging

Vector = NDArray[np.float64]


@export(v1="contrib.opt.ExternalOptimizerInterface")
class ExternalOptimizerInterface:
    """A minimizer from outside the graph; subclasses say which by `_minimize`.

    Args:
        loss: a scalar tensor.
        var_list: the variables to change; the graph's trainable ones when None.
        equalities: tensors that must be zero at the solution.
        inequalities: tensors that must not be negative at the solution.
        var_to_bounds: (lower, upper) by variable; each a number, an array of the variable's shape, or None for no bound.
        optimizer_kwargs: for the minimizer.

    Raises:
        ValueError: there are no variables.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     v = tf1.Variable([7.0, -7.0])
    ...     optimizer = tf1.contrib.opt.ScipyOptimizerInterface(tf1.reduce_sum((v - [1.0, 2.0]) ** 2.0), var_list=[v])
    ...     sess.run(v.initializer)
    ...     optimizer.minimize(sess)
    ...     print(sess.run(v).round(3))
    [1. 2.]
    """

    def __init__(
        self,
        loss: Any,
        var_list: Sequence[Any] | None = None,
        equalities: Sequence[Any] | None = None,
        inequalities: Sequence[Any] | None = None,
        var_to_bounds: dict[Any, tuple[Any, Any]] | None = None,
        **optimizer_kwargs: Any,
    ) -> None:
        self.optimizer_kwargs = optimizer_kwargs
        self._vars = list(trainable_variables() if var_list is None else var_list)
        if not self._vars:
            raise ValueError("No variables to optimize.")
        self._shapes = [tuple(v.shape.as_list()) for v in self._vars]
        self._ends = np.cumsum([int(np.prod(shape)) for shape in self._shapes])
        self._loss = convert_to_tensor(loss)
        self._loss_grads = self._gradients(self._loss)
        self._equalities = [(e, self._gradients(e)) for e in equalities or ()]
        self._inequalities = [(i, self._gradients(i)) for i in inequalities or ()]
        self._bounds = None if var_to_bounds is None else self._pack_bounds(var_to_bounds)
        graph = get_default_graph()
        with graph.name_scope("external_optimizer"):
            self._given = [placeholder(v.dtype.base_dtype, v.shape) for v in self._vars]
            self._updates = [v.assign(value).op for v, value in zip(self._vars, self._given, strict=True)]

    def minimize(
        self,
        session: Session | None = None,
        feed_dict: dict[Any, Any] | None = None,
        fetches: Sequence[Any] | None = None,
        step_callback: Callable[[Vector], Any] | None = None,
        loss_callback: Callable[..., Any] | None = None,
        **run_kwargs: Any,
    ) -> None:
        """Change the variables until the loss is at a minimum.

        Args:
            session: where the variables live; the default session when None.
            feed_dict: what each evaluation feeds.
            fetches: what each evaluation fetches for `loss_callback`.
            step_callback: called after each step of the minimizer with the vector of all variables.
            loss_callback: called after each evaluation of the loss with the values of `fetches`.
            run_kwargs: for `Session.run`.
        """
        chosen: Any = session or get_default_session()
        feeds = dict(feed_dict or {})

        def run(wanted: Any, vector: Vector) -> Any:
            self._assign(chosen, vector)
            return chosen.run(wanted, feeds, **run_kwargs)

        def loss_and_gradient(vector: Vector) -> tuple[float, Vector]:
            value, gradients, fetched = run([self._loss, self._loss_grads, list(fetches or [])], vector)
            if loss_callback is not None:
                loss_callback(*fetched)
            return float(value), _pack_vector(gradients)

        def constraint(kind: str, tensor: Any, gradients: list[Any]) -> dict[str, Any]:
            return {
                "type": kind,
                "fun": lambda vector: np.asarray(run(tensor, vector), np.float64),
                "jac": lambda vector: _pack_vector(run(gradients, vector)),
            }

        constraints = [constraint("eq", *pair) for pair in self._equalities]
        constraints += [constraint("ineq", *pair) for pair in self._inequalities]
        start = _pack_vector(chosen.run(self._vars))
        found = start
        try:
            found = self._minimize(start, loss_and_gradient, constraints, self._bounds, step_callback)
        finally:
            self._assign(chosen, found)

    def _minimize(
        self,
        start: Vector,
        loss_and_gradient: Callable[[Vector], tuple[float, Vector]],
        constraints: list[dict[str, Any]],
        bounds: list[tuple[float, float]] | None,
        step_callback: Callable[[Vector], Any] | None,
    ) -> Vector:
        raise NotImplementedError(f"{type(self).__name__} says no minimizer: override _minimize, or use ScipyOptimizerInterface")

    def _gradients(self, tensor: TensorLike) -> list[Any]:
        return gradients_v1(tensor, self._vars, unconnected_gradients=UnconnectedGradients.ZERO)

    def _assign(self, session: Any, vector: Vector) -> None:
        parts = np.split(vector, self._ends[:-1])
        session.run(self._updates, {p: part.reshape(shape) for p, part, shape in zip(self._given, parts, self._shapes, strict=True)})

    def _pack_bounds(self, var_to_bounds: dict[Any, tuple[Any, Any]]) -> list[tuple[float, float]]:
        known = {id(variable): pair for variable, pair in var_to_bounds.items()}
        rows: list[tuple[float, float]] = []
        for variable, shape in zip(self._vars, self._shapes, strict=True):
            low, high = known.get(id(variable), (None, None))
            lower = np.broadcast_to(-np.inf if low is None else low, shape).ravel()
            upper = np.broadcast_to(np.inf if high is None else high, shape).ravel()
            rows.extend((float(a), float(b)) for a, b in zip(lower, upper, strict=True))
        return rows


@export(v1="contrib.opt.ScipyOptimizerInterface")
class ScipyOptimizerInterface(ExternalOptimizerInterface):
    """`scipy.optimize.minimize` on the variables of a graph.

    Args:
        optimizer_kwargs: `method` ("L-BFGS-B"; "SLSQP" where there are constraints), `options`, and what else SciPy's function takes.
            `jac`, `fun`, `x0`, `bounds`, `constraints` and `callback` are this class's own.

    Raises:
        ValueError: `optimizer_kwargs` holds one of those.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     x = tf1.Variable([7.0, 7.0])
    ...     optimizer = tf1.contrib.opt.ScipyOptimizerInterface(tf1.reduce_sum(tf1.square(x - 1.0)), options={"maxiter": 100})
    ...     sess.run(tf1.global_variables_initializer())
    ...     optimizer.minimize(sess)
    ...     sess.run(x).round(4).tolist()
    [1.0, 1.0]
    """

    _DEFAULT_METHOD = "L-BFGS-B"

    def _minimize(
        self,
        start: Vector,
        loss_and_gradient: Callable[[Vector], tuple[float, Vector]],
        constraints: list[dict[str, Any]],
        bounds: list[tuple[float, float]] | None,
        step_callback: Callable[[Vector], Any] | None,
    ) -> Vector:
        from scipy.optimize import minimize

        own = {"fun", "x0", "jac", "bounds", "constraints", "callback"} & self.optimizer_kwargs.keys()
        if own:
            raise ValueError(f"optimizer_kwargs must not hold {', '.join(sorted(own))}: ScipyOptimizerInterface gives that itself")
        options = {"method": "SLSQP" if constraints else self._DEFAULT_METHOD, **self.optimizer_kwargs}
        if constraints:
            options["constraints"] = constraints
        result = minimize(loss_and_gradient, start, jac=True, bounds=bounds, callback=step_callback, **options)
        message = result.message.decode() if isinstance(result.message, bytes) else result.message
        logging.info(
            "Optimization terminated with:\n  Message: %s\n  Objective function value: %f\n  Number of iterations: %s\n"
            "  Number of functions evaluations: %d",
            message,
            result.fun,
            getattr(result, "nit", "unknown"),
            result.nfev,
        )
        return np.asarray(result.x, np.float64)


def _pack_vector(arrays: Sequence[Any]) -> Vector:
    return np.concatenate([np.asarray(a, np.float64).ravel() for a in arrays])
