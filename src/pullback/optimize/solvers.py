"""`minimize`, `least_squares` and `root`: SciPy's, on structures, with gradients, products and sparse matrices filled in.

What a method can use is told by its name: a gradient, Hessian-vector products, a whole Hessian.  Everything else is SciPy's own: options,
tolerances, what the result holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ..api.coloring import color_jacobian
from ..api.derivatives import hvp, value_and_gradient
from ..api.endpoints import call_with
from ..api.jacobians import hessian, jacobian
from ..api.patterns import PatternError
from ..api.sparse_derivatives import jacobian_pattern, sparse_jacobian
from ..base import nest
from ..base.progress import Progress
from ..ir.tracebacks import trims_errors
from ..ops.array.basic import reshape
from ..ops.array.join import concat
from ..ops.reduce.reductions import reduce_sum
from .flat import Flat, Vector, scalar, value_of
from .operators import hessian_operator, jacobian_operator

_WITHOUT_GRADIENT = frozenset({"nelder-mead", "powell", "cobyla", "cobyqa"})
_WITH_PRODUCTS = frozenset({"newton-cg", "trust-ncg", "trust-krylov", "trust-constr"})
_WITH_HESSIAN = frozenset({"dogleg", "trust-exact"})
_ROOTS_WITH_JACOBIAN = frozenset({"hybr", "lm"})
_SMALL = 10_000


@trims_errors
def minimize(
    fun: Callable[[Any], Any],
    x0: object,
    method: str | None = None,
    *,
    bounds: object = None,
    constraints: Mapping[str, Any] | Iterable[Any] = (),
    tol: float | None = None,
    callback: Callable[[Any], Any] | None = None,
    options: Mapping[str, Any] | None = None,
    progress: bool | None = None,
) -> Any:
    """`scipy.optimize.minimize` on a structure, with gradient and Hessian-vector products filled in.

    fun: a function of a structure like `x0` that returns one number; with variables in `x0` it may take nothing and read those.
    x0: the start, a structure of floating tensors, arrays, numbers and variables (float64 for tight tolerances).  method: SciPy's name;
    its choice when None.  bounds: a pair (lower, upper), each None, a number or a structure like `x0`.  constraints: a mapping with
    "type" ("eq" or "ineq") and "fun", a function of the structure, or several; Jacobians are filled in (SciPy's own constraints and
    bounds are of the vector).  tol, options: SciPy's.  callback: called with the structure after each iteration.  progress: a bar about
    the run on the standard error stream; when None, after two seconds, on a terminal or in a notebook.
    Returns SciPy's `OptimizeResult`, with `x` (and `jac`) as structures like `x0` and the vector of SciPy as `vector`.  Variables are
    left at the solution.
    Raises ValueError where `fun` returns no number or does not depend on a part of `x0`, TypeError for parts that are not real floating.

    >>> import numpy as np
    >>> from pullback.optimize import minimize
    >>> found = minimize(lambda p: (p["a"] - 1.0) ** 2 + (p["b"] + p["a"]) ** 2, {"a": np.float64(3.0), "b": np.float64(0.0)}, "Newton-CG")
    >>> round(float(found.x["a"]), 6), round(float(found.x["b"]), 6)
    (1.0, -1.0)
    """
    from scipy.optimize import minimize as scipy_minimize

    flat, line = Flat(x0), Progress("minimize", wanted=progress, unit="evaluations")
    name = (method or "").lower()
    settings: dict[str, Any] = {"method": method, "tol": tol, "options": None if options is None else dict(options)}
    if name in _WITHOUT_GRADIENT:

        def objective(vector: Vector) -> Any:
            value = scalar(value_of(fun, flat, vector), "minimize")
            line.advance(value=value)
            return value
    else:
        settings["jac"] = True

        def objective(vector: Vector) -> Any:
            value, gradient = value_and_gradient(fun, flat.place(vector))
            line.advance(value=scalar(value, "minimize"))
            return scalar(value, "minimize"), flat.of(gradient)

    if name in _WITH_PRODUCTS:
        settings["hessp"] = lambda vector, along: flat.of(hvp(fun, flat.place(vector), flat.unflatten(along)))
    if name in _WITH_HESSIAN:
        settings["hess"] = lambda vector: _join_blocks(nest.flatten(hessian(fun, flat.place(vector))), flat)
    if bounds is not None:
        settings["bounds"] = _bounds(flat, bounds)
    if constraints:
        several = [constraints] if isinstance(constraints, Mapping) or not isinstance(constraints, Iterable) else constraints
        settings["constraints"] = [_constraint(flat, c, name) if isinstance(c, Mapping) else c for c in several]
    if callback is not None:
        settings["callback"] = _unpack_for(flat, callback, name)
    scalar(value_of(fun, flat, flat.start), "minimize")
    try:
        result = scipy_minimize(objective, flat.start, **settings)
    finally:
        line.end()
    return _result(flat, result)


@trims_errors
def least_squares(
    fun: Callable[[Any], Any],
    x0: object,
    method: str = "trf",
    *,
    jac: str = "auto",
    bounds: object = None,
    progress: bool | None = None,
    **settings: Any,
) -> Any:
    """`scipy.optimize.least_squares` on a structure, with the Jacobian filled in: dense, sparse, or as products.

    fun: a function of a structure like `x0` whose result, a tensor or a structure of them, holds the residuals.  x0, bounds, progress: as
    for `minimize`.  method: "trf", "dogbox" or "lm".  jac: "dense", "sparse" (compressed passes), "operator" (products only), or "auto":
    sparse where the matrix is large and one entry in ten at most may be other than zero.  settings: SciPy's (`loss`, `ftol`, ...).
    Returns SciPy's result with `x` as a structure and the vector as `vector`.  Raises ValueError for another `jac`, and where "lm" is to
    take anything but a dense one.

    >>> import numpy as np
    >>> from pullback.optimize import least_squares
    >>> t = np.linspace(0.0, 1.0, 20)
    >>> found = least_squares(lambda p: p["a"] * tf.exp(p["k"] * t) - 2.0 * np.exp(-t), {"a": np.float64(1.0), "k": np.float64(0.0)})
    >>> round(float(found.x["a"]), 6), round(float(found.x["k"]), 6)
    (2.0, -1.0)
    """
    from scipy.optimize import least_squares as scipy_least_squares

    flat, line = Flat(x0), Progress("least_squares", wanted=progress, unit="evaluations")
    chosen = _jacobian(fun, flat, jac, method)
    if bounds is not None:
        lower, upper = _bounds(flat, bounds).lb, _bounds(flat, bounds).ub
        settings["bounds"] = (lower, upper)

    def residuals(vector: Vector) -> Vector:
        found = _rows(value_of(fun, flat, vector))
        line.advance(value=0.5 * float(found @ found))
        return found

    try:
        result = scipy_least_squares(residuals, flat.start, jac=chosen, method=method, **settings)
    finally:
        line.end()
    return _result(flat, result)


@trims_errors
def root(fun: Callable[..., Any], x0: object, method: str = "hybr", *, progress: bool | None = None, **settings: Any) -> Any:
    """`scipy.optimize.root` on a structure: where all of `fun`'s results are zero, with the Jacobian filled in for "hybr" and "lm".

    fun: a function of a structure like `x0` whose results have as many elements as `x0`.  x0, progress: as for `minimize`.  settings:
    SciPy's.  Returns SciPy's result with `x` as a structure and the vector as `vector`.  Raises ValueError where the numbers of elements
    differ ("lm" takes more equations than unknowns).

    >>> import numpy as np
    >>> from pullback.optimize import root
    >>> found = root(lambda x: tf.cos(x) - x, np.array([1.0]))
    >>> round(float(found.x[0]), 6)
    0.739085
    """
    from scipy.optimize import root as scipy_root

    flat, line = Flat(x0), Progress("root", wanted=progress, unit="evaluations")
    count = _rows(value_of(fun, flat, flat.start)).size
    if count != flat.size and method != "lm":
        raise ValueError(f"root needs as many equations as unknowns, and got {count} for {flat.size}; least_squares takes any number")
    if method in _ROOTS_WITH_JACOBIAN:
        settings["jac"] = _jacobian(fun, flat, "dense", method)

    def equations(vector: Vector) -> Vector:
        found = _rows(value_of(fun, flat, vector))
        line.advance(value=float(np.abs(found).max(initial=0.0)))
        return found

    try:
        result = scipy_root(equations, flat.start, method=method, **settings)
    finally:
        line.end()
    return _result(flat, result)


# ---- pieces


def _rows(results: Any) -> Vector:
    return np.concatenate([np.ravel(np.asarray(y)).astype(np.float64) for y in nest.flatten(results)])


def _jacobian(fun: Callable[..., Any], flat: Flat, jac: str, method: str) -> Callable[[Vector], Any]:
    if jac not in ("auto", "dense", "sparse", "operator"):
        raise ValueError(f"jac must be 'auto', 'dense', 'sparse' or 'operator', got {jac!r}")
    if method == "lm" and jac in ("sparse", "operator"):
        raise ValueError(f"method 'lm' takes a dense Jacobian only, and jac is {jac!r}: use 'trf' or 'dogbox'")
    if jac == "auto":
        jac = "dense" if method == "lm" else _suited_method(fun, flat)
    if jac == "operator":
        return lambda vector: jacobian_operator(fun, flat.place(vector))
    if jac == "sparse":
        coloring = color_jacobian(jacobian_pattern(fun, flat.place(flat.start)))
        return lambda vector: sparse_jacobian(fun, flat.place(vector), coloring)

    return lambda vector: _join_blocks(nest.flatten(jacobian(fun, flat.place(vector), unconnected_gradients="zero")), flat)


def _suited_method(fun: Callable[..., Any], flat: Flat) -> str:
    """ "sparse" for a large matrix with few entries, else "dense"."""
    count = _rows(value_of(fun, flat, flat.start)).size
    if count * flat.size <= _SMALL:
        return "dense"
    try:
        pattern = jacobian_pattern(fun, flat.place(flat.start))
    except PatternError:
        return "dense"
    return "sparse" if pattern.nnz * 10 <= count * flat.size else "dense"


def _join_blocks(blocks: Sequence[Any], columns: Flat) -> Vector:
    """Blocks of a matrix, row of blocks after row of blocks, as one matrix."""
    width = len(columns.shapes)
    lengths = [int(np.prod(shape, dtype=np.int64)) for shape in columns.shapes]
    lines = []
    for at in range(0, len(blocks), width):
        mine = [np.asarray(b).reshape(-1, n) for b, n in zip(blocks[at : at + width], lengths, strict=True) if n]
        lines.append(np.concatenate(mine, axis=1))
    return np.concatenate(lines).astype(np.float64)


def _bounds(flat: Flat, bounds: Any) -> Any:
    from scipy.optimize import Bounds

    if isinstance(bounds, Bounds):
        return bounds
    if not isinstance(bounds, tuple) or len(bounds) != 2:
        raise ValueError("bounds is a pair (lower, upper), each None, a number or a structure like x0")
    ends = []
    for end, nothing in zip(bounds, (-np.inf, np.inf), strict=True):
        if end is None or isinstance(end, (int, float)):
            ends.append(np.full(flat.size, nothing if end is None else float(end)))
        else:
            given = nest.flatten_up_to(flat.structure, end, check_types=False) if nest.is_nested(flat.structure) else [end]
            parts = [np.broadcast_to(np.asarray(g, np.float64), s).ravel() for g, s in zip(given, flat.shapes, strict=True)]
            ends.append(np.concatenate(parts))
    return Bounds(*ends)


def _constraint(flat: Flat, constraint: Mapping[str, Any], method: str) -> Any:
    """One constraint with its derivatives; for "trust-constr" with the products of its Hessian too."""
    from scipy.optimize import NonlinearConstraint

    function = constraint["fun"]

    def values(vector: Vector) -> Vector:
        return _rows(value_of(function, flat, vector))

    if method in _WITHOUT_GRADIENT:
        return {**constraint, "fun": values}
    jacobian_at = _jacobian(function, flat, "dense", method)
    if method != "trust-constr":
        return {**constraint, "fun": values, "jac": jacobian_at}

    def curvature(vector: Vector, weights: Vector) -> Any:
        def weigh_values(at: Any) -> Any:
            flat_values = [reshape(y, [-1]) for y in nest.flatten(call_with(function, at))]
            return reduce_sum(concat(flat_values, 0) * weights.astype(flat_values[0].dtype.as_numpy_dtype))

        return hessian_operator(weigh_values, flat.place(vector))

    return NonlinearConstraint(values, 0.0, 0.0 if constraint["type"] == "eq" else np.inf, jac=jacobian_at, hess=curvature)


def _unpack_for(flat: Flat, callback: Callable[[Any], Any], method: str) -> Callable[..., Any]:
    if method == "trust-constr":
        return lambda vector, state: callback(flat.unflatten(vector))
    return lambda vector: callback(flat.unflatten(vector))


def _result(flat: Flat, result: Any) -> Any:
    result.vector = result.x
    flat.place(result.vector)
    result.x = flat.unflatten(result.vector)
    gradient = result.get("jac")
    if isinstance(gradient, np.ndarray) and gradient.shape == (flat.size,):
        result.jac = flat.unflatten(gradient)
    return result
