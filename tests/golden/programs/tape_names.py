"""Names of the gradients that tapes give in a function, by the scope in which the operation stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .kit import Answers

FACE = "v2"


def _gradients(tf: Any, call: Callable[..., Any], *shapes: list[int], dtype: Any = None) -> list[str | None]:
    """The names of the gradients of `call`, made in the scope `layer`, for arguments of these shapes."""
    found: list[str | None] = []

    def traced(*xs: Any) -> None:
        with tf.GradientTape() as tape:
            tape.watch(xs)
            with tf.name_scope("layer"):
                y = call(*xs)
        for g in tape.gradient(y, xs):
            values = getattr(g, "values", g)
            found.append(None if values is None else values.name)

    tf.function(traced, autograph=False).get_concrete_function(*[tf.TensorSpec(s, dtype or tf.float32) for s in shapes])
    return found


def _each(tf: Any, made: dict[str, tuple[Any, ...]], **options: Any) -> Answers:
    return {name: lambda given=given: _gradients(tf, *given, **options) for name, given in made.items()}


_ROW, _MATRIX, _OTHER, _IMAGE = [3], [2, 3], [3, 4], [1, 4, 4, 2]


def operators(tf: Any) -> Answers:
    """Operators open a scope, functions that are one operation do not."""
    return _each(
        tf,
        {
            "x * y": (lambda x, y: x * y, _MATRIX, _MATRIX),
            "x * y, a row": (lambda x, y: x * y, _MATRIX, _ROW),
            "number * x": (lambda x: 2.0 * x, _MATRIX),
            "x + y": (lambda x, y: x + y, _MATRIX, _ROW),
            "x - y": (lambda x, y: x - y, _ROW, _MATRIX),
            "x / y": (lambda x, y: x / y, _MATRIX, _ROW),
            "x ** number": (lambda x: x**2.0, _MATRIX),
            "x @ y": (lambda x, y: x @ y, _MATRIX, _OTHER),
            "-x": (lambda x: -x, _MATRIX),
            "abs": (lambda x: abs(x), _MATRIX),
            "row": (lambda x: x[0], _MATRIX),
            "column": (lambda x: x[:, 1], _MATRIX),
            "two products": (lambda x, y: x * y * y, _MATRIX, _MATRIX),
            "multiply": (lambda x, y: tf.multiply(x, y), _MATRIX, _MATRIX),
            "multiply with a name": (lambda x, y: tf.multiply(x, y, name="mine"), _MATRIX, _MATRIX),
            "add": (lambda x, y: tf.add(x, y), _MATRIX, _ROW),
            "subtract": (lambda x, y: tf.subtract(x, y), _MATRIX, _ROW),
            "divide": (lambda x, y: tf.divide(x, y), _MATRIX, _ROW),
            "pow": (lambda x, y: tf.pow(x, y), _MATRIX, _MATRIX),
        },
    )


def functions(tf: Any) -> Answers:
    """Functions of one tensor and of several."""
    one = {
        name: (getattr(tf, name), _MATRIX)
        for name in "sin cos exp tanh sigmoid sqrt square abs reduce_sum reduce_mean reduce_max transpose identity cumsum".split()
    }
    nn = {name: (getattr(tf.nn, name), _MATRIX) for name in "relu relu6 elu selu leaky_relu softplus softmax log_softmax".split()}
    constant, row = tf.ones([2, 3]), tf.ones([3])
    second = {
        "of a constant": (lambda x: constant * x, _MATRIX),
        "of a row": (lambda x: row * x, _MATRIX),
        "matmul with a constant": (lambda x: tf.matmul(constant, x), [3, 4]),
        "maximum of a constant": (lambda x: tf.maximum(constant, x), _MATRIX),
        "power of a constant": (lambda x: constant**x, _ROW),
        "a constant less x": (lambda x: constant - x, _ROW),
        "where not": (lambda x: tf.where(constant > 0.0, row, x), _MATRIX),
        "where not, a row": (lambda x: tf.where(constant > 0.0, 0.0, x), _ROW),
    }
    return _each(
        tf,
        one
        | nn
        | {f"second operand, {name}": given for name, given in second.items()}
        | {
            "log": (tf.math.log, _MATRIX),
            "matmul": (tf.matmul, _MATRIX, _OTHER),
            "matmul with a name": (lambda x, y: tf.matmul(x, y, name="mine"), _MATRIX, _OTHER),
            "matmul of stacks": (tf.matmul, [2, 2, 3], [2, 3, 2]),
            "bias_add": (tf.nn.bias_add, _MATRIX, _ROW),
            "cast": (lambda x: tf.cast(x, tf.float64), _MATRIX),
            "reshape": (lambda x: tf.reshape(x, [3, 2]), _MATRIX),
            "maximum": (tf.maximum, _MATRIX, _MATRIX),
            "divide_no_nan": (tf.math.divide_no_nan, _MATRIX, _MATRIX),
            "squared_difference": (tf.math.squared_difference, _MATRIX, _MATRIX),
            "conv2d": (lambda x, w: tf.nn.conv2d(x, w, 1, "SAME"), _IMAGE, [2, 2, 2, 3]),
            "max_pool2d": (lambda x: tf.nn.max_pool2d(x, 2, 2, "VALID"), _IMAGE),
            "avg_pool2d": (lambda x: tf.nn.avg_pool2d(x, 2, 2, "VALID"), _IMAGE),
            "einsum": (lambda x, y: tf.einsum("ij,jk->ik", x, y), _MATRIX, _OTHER),
            "einsum of an operand twice": (lambda x: tf.einsum("ij,ij->i", x, x), _MATRIX),
            "band_part": (lambda x: tf.linalg.band_part(x, 0, -1), [3, 3]),
            "softmax cross-entropy": (lambda x: tf.nn.softmax_cross_entropy_with_logits(tf.ones([2, 3]), x), _MATRIX),
            "expand_dims": (lambda x: tf.expand_dims(x, 0), _MATRIX),
            "stack": (lambda x, y: tf.stack([x, y]), _MATRIX, _MATRIX),
            "split": (lambda x: tf.split(x, 3, axis=1), _MATRIX),
            "where": (lambda x, y: tf.where(x > 0.0, x, y), _MATRIX, _MATRIX),
        },
    )  # fmt: skip


def _rarer(tf: Any) -> dict[str, tuple[Any, ...]]:
    """Functions whose gradient is one of several steps, and those that broadcast some axes only."""
    special, ids = tf.math.special, [0, 0, 1]
    return {
        "segment_prod": (lambda x: tf.math.segment_prod(x, ids), [3, 2]),
        "unsorted_segment_prod": (lambda x: tf.math.unsorted_segment_prod(x, ids, 2), [3, 2]),
        "bessel_j1": (special.bessel_j1, _ROW),
        "bessel_i1": (special.bessel_i1, _ROW),
        "bessel_i1e": (special.bessel_i1e, _ROW),
        "spence": (special.spence, _ROW),
        "expint": (special.expint, _ROW),
        "igammac": (tf.math.igammac, _ROW, _ROW),
        "dynamic_stitch": (lambda x, y: tf.dynamic_stitch([[0], [1, 2]], [x, y]), [1, 2], [2, 2]),
        "rgb_to_hsv": (tf.image.rgb_to_hsv, [2, 3]),
        "pad": (lambda x: tf.pad(x, [[1, 0], [0, 0]], constant_values=2.0), _MATRIX),
        "scatter max": (lambda x, y: tf.tensor_scatter_nd_max(x, [[0]], y), _ROW, [1]),
        "banded_triangular_solve": (tf.linalg.banded_triangular_solve, [2, 3], [3, 1]),
        "tridiagonal_solve": (lambda x, y: tf.linalg.tridiagonal_solve(x, y), [3, 3], [3, 1]),
        "tridiagonal_solve with a name": (lambda x, y: tf.linalg.tridiagonal_solve(x, y, name="mine"), [3, 3], [3, 1]),
        "matmul of a matrix and a stack": (tf.matmul, [2, 3], [4, 3, 2]),
        "matmul of a stack and a matrix": (tf.matmul, [4, 2, 3], [3, 2]),
        "einsum of a transpose": (lambda x: tf.einsum("ij->ji", x), _MATRIX),
        "einsum of an outer product": (lambda x, y: tf.einsum("i,j->ij", x, y), _ROW, [4]),
        "einsum that stretches both": (lambda x, y: tf.einsum("...i,...i->...", x, y), [1, 2, 3], [2, 1, 3]),
        "gather columns": (lambda x: tf.gather(x, [0, 2], axis=1), _MATRIX),
        "gather by batches": (lambda x: tf.gather(x, [[0], [2]], batch_dims=1), _MATRIX),
        "sparse matmul": (lambda x: tf.sparse.sparse_dense_matmul(tf.SparseTensor([[0, 1]], [1.0], [2, 2]), x), _MATRIX),
        "second derivative of softplus": (lambda x, y: tf.raw_ops.SoftplusGrad(gradients=x, features=y), _ROW, _ROW),
        "second derivative of elu": (lambda x, y: tf.raw_ops.EluGrad(gradients=x, outputs=y), _ROW, _ROW),
        "second derivative of bias_add": (lambda x: tf.raw_ops.BiasAddGrad(out_backprop=x), _MATRIX),
    }


def rarer_functions(tf: Any) -> Answers:
    """Gradients of tapes of functions that are less often used."""
    return _each(tf, _rarer(tf))


def rarer_functions_in_graphs(tf: Any) -> Answers:
    """The same by `tf.gradients`."""

    def names(call: Callable[..., Any], *shapes: list[int]) -> list[str | None]:
        v1 = tf.compat.v1
        with tf.Graph().as_default():
            xs = [v1.placeholder(tf.float32, shape) for shape in shapes]
            return [None if g is None else g.name for g in v1.gradients(call(*xs), xs)]

    branch = lambda x: tf.cond(x[0] > 0.0, lambda: x * 2.0, lambda: tf.sin(x))
    array = lambda x: tf.TensorArray(tf.float32, 3).unstack(x).stack() * 2.0
    more = {"cond": (branch, _ROW), "unstacked array": (array, _ROW)}
    return {name: lambda given=given: names(*given) for name, given in (_rarer(tf) | more).items()}


def programs(tf: Any) -> Answers:
    """Several operations: those of one scope are numbered, cotangents of one tensor are summed where the gradient is asked for."""

    def inner_scopes(x: Any) -> Any:
        with tf.name_scope("deep"):
            return tf.sin(x) * 2.0

    def second(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x * x
        return tape.gradient(y, x)

    return _each(
        tf,
        {
            "a layer": (lambda x, w, b: tf.nn.relu(tf.matmul(x, w) + b), _MATRIX, _OTHER, [4]),
            "a loss": (lambda x, y: tf.reduce_mean(tf.square(x - y)), _MATRIX, _MATRIX),
            "sines": (lambda x: tf.sin(tf.sin(x)), _MATRIX),
            "used twice": (lambda x: x * x, _MATRIX),
            "used three times": (lambda x: x * x + tf.exp(x), _MATRIX),
            "scopes": (inner_scopes, _MATRIX),
            "second": (second, _MATRIX),
        },
    )


def orders(tf: Any) -> Answers:
    """Where a scope holds several operations, their gradients are numbered in the order in which the tape comes to them."""
    e = tf.exp

    def shared(x: Any, y: Any) -> Any:
        one = e(x)
        return tf.multiply(e(one), tf.multiply(e(one), e(y)))

    def late(x: Any, y: Any) -> Any:
        one, other = e(x), e(y)
        return tf.multiply(other, one)

    calls = {
        "two factors": lambda x, y: tf.multiply(e(x), e(y)),
        "the other way round": lambda x, y: tf.multiply(e(y), e(x)),
        "made in another order": late,
        "two steps each": lambda x, y: tf.multiply(e(e(x)), e(e(y))),
        "three factors": lambda x, y, z: tf.multiply(tf.multiply(e(x), e(y)), e(z)),
        "the last one first": lambda x, y, z: tf.multiply(e(z), tf.multiply(e(x), e(y))),
        "stack": lambda x, y, z: tf.stack([e(e(x)), e(y), e(e(z))]),
        "two targets": lambda x, y: [e(x), e(y)],
        "three targets": lambda x, y, z: [e(x), e(y), e(z)],
        "shared": shared,
        "cross-entropy of both": lambda x, y: tf.nn.softmax_cross_entropy_with_logits(x, y),
    }
    rank = {"cross-entropy of both": _MATRIX}
    return _each(tf, {name: (call, *[rank.get(name, _ROW)] * call.__code__.co_argcount) for name, call in calls.items()})


def complex_numbers(tf: Any) -> Answers:
    """Gradients of complex numbers are named by what they are conjugates of."""
    return _each(
        tf,
        {
            "x * y": (lambda x, y: tf.abs(x * y), _MATRIX, _MATRIX),
            "exp": (lambda x: tf.abs(tf.exp(x)), _MATRIX),
            "sqrt": (lambda x: tf.math.real(tf.sqrt(x)), _MATRIX),
            "-x": (lambda x: tf.math.real(-x), _MATRIX),
        },
        dtype=tf.complex64,
    )


def bodies(tf: Any) -> Answers:
    """Gradients of branches stand in the scope of the branch, those of calls and of `custom_gradient` where they were asked for."""
    return _each(
        tf,
        {
            "cond": (lambda x: tf.cond(x[0, 0] > 0.0, lambda: x * x, lambda: x), _MATRIX),
            "cond with a name": (lambda x: tf.cond(x[0, 0] > 0.0, lambda: x * x, lambda: x, name="mine"), _MATRIX),
            "two of cond": (lambda x, y: tf.cond(x[0, 0] > 0.0, lambda: x * y, lambda: x), _MATRIX, _MATRIX),
            "switch_case": (lambda x: tf.switch_case(tf.constant(1), [lambda: x, lambda: x * x]), _MATRIX),
            "case": (lambda x: tf.case([(x[0, 0] > 0.0, lambda: x * x)], default=lambda: x), _MATRIX),
            "map_fn": (lambda x: tf.map_fn(lambda e: e * e, x), _MATRIX),
            "custom_gradient": (tf.custom_gradient(lambda x: (tf.sin(x), lambda g: g * 2.0)), _MATRIX),
            "custom_gradient, then more": (lambda x: tf.square(tf.custom_gradient(lambda y: (tf.sin(y), lambda g: g * 2.0))(x)), _MATRIX),
            "py_function": (lambda x: tf.py_function(lambda y: y * y, [x], tf.float32), _MATRIX),
            "call": (lambda x: tf.function(lambda y: y * y)(x), _MATRIX),
            "call, then more": (lambda x: tf.function(lambda y: y * y)(tf.square(x)), _MATRIX),
        },
    )


def bodies_in_graphs(tf: Any) -> Answers:
    """By `tf.gradients`."""

    def name(call: Callable[[Any], Any]) -> str:
        v1 = tf.compat.v1
        with tf.Graph().as_default(), tf.name_scope("layer"):
            x = v1.placeholder(tf.float32, _MATRIX)
            return str(v1.gradients(call(x), x)[0].name)

    calls: dict[str, Callable[[Any], Any]] = {
        "cond": lambda x: tf.cond(x[0, 0] > 0.0, lambda: x * x, lambda: x),
        "switch_case": lambda x: tf.switch_case(tf.constant(1), [lambda: x, lambda: x * x]),
        "call": lambda x: tf.function(lambda y: y * y)(x),
        "py_function": lambda x: tf.py_function(lambda y: y * y, [x], tf.float32),
        "custom_gradient": tf.custom_gradient(lambda x: (tf.sin(x), lambda g: g * 2.0)),
    }
    return {label: lambda call=call: name(call) for label, call in calls.items()}
