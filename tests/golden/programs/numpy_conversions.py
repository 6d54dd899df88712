"""What dtypes come to in the conversion modes "safe" and "all" of `experimental_enable_numpy_behavior`: the table, operators, functions."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, ours, raised, raises
from tests.golden.programs.numpy_behavior import _each

FACE = "v2"

DTYPES = "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 bfloat16 float16 float32 float64 complex64 complex128".split()
# What the mode "safe" does not do.
REFUSED = {
    "int32 + float", "float + int8", "int8 + uint8", "uint64 + int8", "float16 + bfloat16", "float64 * complex64", "variable and float",
    "add of int32 and float32",
}  # fmt: skip
MATRIX = [[1.5, -2.0], [0.25, 3.0]]


def _seen(t: Any) -> list[Any]:
    """A value, and whether its dtype gives way to others."""
    return [t.numpy(), t.dtype, "weak=True" in repr(t)]


def _all(call: Callable[[], Any]) -> Callable[[], Any]:
    def answer() -> Any:
        found = call()
        return [_seen(t) for t in found] if isinstance(found, list) else _seen(found)

    return answer


def _modes(tf: Any, answers: Callable[[Any], dict[str, Callable[[], Any]]]) -> Answers:
    found: Answers = {}
    for mode in ("all", "safe"):
        calls = {label: raises(call) if mode == "safe" and label in REFUSED else call for label, call in answers(tf).items()}
        found |= {f"{mode}: {label}": a for label, a in _each(tf, calls, dtype_conversion_mode=mode).items()}
    return found


def _constants(tf: Any) -> Callable[..., Any]:
    """`tf.constant`, looked up when it is called, for the mode may exchange it."""
    return lambda *args: tf.constant(*args)


def table(tf: Any) -> Answers:
    """Every pair of dtypes, and of dtypes and Python's numbers, by what they come to."""

    def spelled(a: Any, b: Any) -> str:
        try:
            return str(tf.experimental.numpy.result_type(a, b).name)
        except TypeError as error:
            return type(error).__name__

    def row(first: Any) -> Callable[[], list[str]]:
        return lambda: [spelled(first, getattr(tf, name)) for name in DTYPES] + [spelled(first, number) for number in (1, 2.5, 1j)]

    rows = {name: row(getattr(tf, name)) for name in DTYPES} | {"int": row(1), "float": row(2.5), "complex": row(1j)}
    return _modes(tf, lambda tf: rows)


def weakness(tf: Any) -> Answers:
    """Whether sums are weak, of tensors of every dtype and of Python's numbers, wrapped as constants."""

    def made() -> dict[str, Callable[[], Any]]:
        return {name: (lambda name=name: tf.constant(2, getattr(tf, name))) for name in DTYPES if name != "bool"} | {
            "int": lambda: tf.constant(2),
            "float": lambda: tf.constant(2.5),
            "complex": lambda: tf.constant(1j),
            "int and float": lambda: tf.constant(2, tf.int32) + 1.5,
        }

    def answers(tf: Any) -> dict[str, Callable[[], Any]]:
        def of(a: Callable[[], Any]) -> Callable[[], Any]:
            return lambda: ["weak=True" in repr(tf.add(a(), b())) for b in made().values()]

        return {name: of(a) for name, a in made().items()}

    return _each(tf, answers(tf), dtype_conversion_mode="all")


def _operators(tf: Any) -> dict[str, Callable[[], Any]]:
    c = _constants(tf)
    plain = {
        "constants": lambda: [c(1), c(2.5), c([1, 2.5]), c(MATRIX), c(True), c(1j), c(np.int8([1])), c(3, tf.uint8), c("a")],
        "constants of tensors": lambda: [c(c(1, tf.int16), tf.int32), c(c(1)), c(c(1.5), tf.float16)],
        "int32 + float": lambda: c(1, tf.int32) + 1.5,
        "float + int8": lambda: 1.5 + c(1, tf.int8),
        "int + bfloat16": lambda: c(1) + c(1, tf.bfloat16),
        "weak int / weak int": lambda: [c(1) / c(2), c(5) // 2, c(5) % c(3), c(2) ** 2.0, c(2) * 2.5, c(3) - 1],
        "int8 + uint8": lambda: c(1, tf.int8) + c(1, tf.uint8),
        "uint64 + int8": lambda: c(1, tf.uint64) + c(1, tf.int8),
        "float16 + bfloat16": lambda: c(1, tf.float16) + c(1.5, tf.bfloat16),
        "float64 * complex64": lambda: c(2.0, tf.float64) * c(1j, tf.complex64),
        "bool + int": lambda: [c(True) + c(1), c(True) + c(1, tf.int8)],
        "numpy": lambda: [np.float32(1) + c(1), c(1) + np.float64(2), c(2.0, tf.float16) * np.array([1.0, 2.0], np.float16)],
        "unary": lambda: [-c(1.0), abs(c(-1)), ~c(1), -c(1, tf.int8)],
        "matmul": lambda: [c(MATRIX) @ c([[1], [2]]), c(MATRIX, tf.float64) @ c([[1], [2]])],
        "equal": lambda: [c(1) == 1.0, c(1.0) == c(1, tf.float16), c(2, tf.int8) == 2],
        "compare": lambda: [c(1.0) < 2, c(3) > 1],
        "strings": lambda: c("a") + c("b"),
        "keys": lambda: [c([1.0, 2.0])[0], next(iter(c([1.0, 2.0])))],
        "variable": lambda: [tf.Variable(1.0) + 1, tf.Variable(1, dtype=tf.int8) * c(2), tf.Variable(1.0).assign_add(c(2)), tf.Variable(2.0).assign(3)],
        "variable and float": lambda: tf.Variable(1) + 1.5,
        "methods": lambda: [c(MATRIX).T, c(MATRIX).reshape(4), c(MATRIX).max(), c(MATRIX, tf.float16).mean()],
    }
    return {label: _all(call) for label, call in plain.items()} | {
        "comparison of dtypes": raises(lambda: c(2.0) > c(1, tf.int32)),
        "unequal of dtypes": raises(lambda: c(2.0) != c(1, tf.int32)),
        "bits of dtypes": raises(lambda: c(1) & c(1, tf.int8)),
        "wide integer": raises(lambda: c(2**40), "too large to convert"),
        "constant of a narrower dtype": raises(lambda: c(1.5, tf.int32)),
        "a variable keeps its dtype": raises(lambda: tf.Variable(1.0).assign(c(1.0, tf.float64)), "Variable dtype is immutable"),
        "string and number": raises(lambda: c("a") + 1),
    }


def operators(tf: Any) -> Answers:
    """Constants, operators, methods and variables in both modes."""
    return _modes(tf, _operators)


def _functions(tf: Any) -> dict[str, Callable[[], Any]]:
    c, x = _constants(tf), np.float32(MATRIX)
    plain = {
        "of numbers": lambda: [tf.exp(1.0), tf.square(3), tf.reduce_sum([1, 2]), tf.reduce_mean(c([1, 2])), tf.transpose([[1, 2]]), tf.identity(1.0)],
        "of arrays": lambda: [tf.sqrt(np.float64(4.0)), tf.reduce_max(x), tf.tanh(x)],
        "of weak tensors": lambda: [tf.math.log(c(2.0)), tf.reshape(c([1, 2]), [2, 1]), tf.zeros_like(c(1)), tf.clip_by_value(c(5), 0, 2), tf.round(c(1.5))],
        "not weak": lambda: [tf.nn.relu(c(1.0)), tf.nn.softmax(c([1.0])), tf.cast(c(1.0), tf.float32), tf.convert_to_tensor(c(1.0)), tf.stack([c(1.0), c(2.0)])],
        "two": lambda: [tf.add(1, 2.0), tf.subtract(1.0, c(1, tf.float16)), tf.multiply(c(2, tf.uint8), 3), tf.pow(2, 3.0), tf.math.floordiv(7, 2)],
        "quotients": lambda: [tf.divide(1, 2), tf.truediv(c(1), c(2, tf.int8)), tf.math.divide_no_nan(1.0, 0.0), tf.math.mod(7, 4), tf.realdiv(1.0, 4.0)],
        "extremes": lambda: [tf.maximum(c(1), 2.0), tf.minimum(1, 2), tf.maximum(c(1, tf.int8), 3), tf.equal(1, 1.0)],
        "matmul": lambda: [tf.matmul(c(MATRIX), c([[1], [2]])), tf.linalg.matvec(c(MATRIX, tf.float64), [1, 2])],
        "special": lambda: [tf.math.erf(0.5), tf.math.bessel_i0(c(0.5)), tf.math.special.dawsn(0.5), tf.nn.leaky_relu(-1.0), tf.nn.gelu(c(0.5))],
        "add of int32 and float32": lambda: tf.add(c(1, tf.int32), c(1, tf.float32)),
        "scalar_mul": lambda: tf.math.scalar_mul(2.0, c(1.0, tf.float16)),
    }
    tnp = tf.experimental.numpy
    numpy = {
        "array": lambda: [tnp.array(1.0), tnp.array([1, 2]), tnp.array([1, 2.5]), tnp.asarray(c(1, tf.int8)), tnp.array([1.0], np.float64)],
        "made": lambda: [tnp.zeros([2]), tnp.ones(2), tnp.full([2], 1), tnp.arange(3), tnp.arange(3.0), tnp.eye(2), tnp.linspace(0, 1, 3), tnp.tri(2)],
        "unary": lambda: [tnp.log(2), tnp.sqrt(2.0), tnp.sin(c(1.0, tf.float16)), tnp.round(1.5), tnp.abs(-1), tnp.negative(np.int8(3))],
        "reductions": lambda: [tnp.sum([1, 2]), tnp.mean([1, 2]), tnp.max([1.0, 2.0]), tnp.std([1.0, 2.0]), tnp.var([1, 2]), tnp.cumsum([1, 2])],
        "small integers": lambda: [tnp.prod(c([1, 2], tf.int8)), tnp.sum(c([1, 2], tf.uint8)), tnp.sum([True, False]), tnp.argsort([2, 1]), tnp.sort([2, 1])],
        "two": lambda: [tnp.add(1, 2.5), tnp.multiply(2, c(3, tf.int8)), tnp.true_divide(1, 2), tnp.power(2, 3), tnp.maximum(1, 2.0), tnp.equal(1, 1.0)],
        "several": lambda: [tnp.where([True], 1, 2.0), tnp.stack([1, 2.0]), tnp.concatenate([c([1.0]), c([2])]), tnp.outer([1], [2.0]), tnp.dot(1, 2.0)],
        "clip": lambda: tnp.clip(c([1, 2]), 0, 1.5),
        "types": lambda: [tf.cast(0, tnp.result_type(*a)) for a in ((1, 2.0), (tf.float16, 3), (), (np.int8, True), ([1, 2], 1j))],
    }
    return {label: _all(call) for label, call in plain.items()} | {f"numpy {label}": _all(call) for label, call in numpy.items()}


def functions(tf: Any) -> Answers:
    """Functions that find a common dtype, and those that do not, in both modes."""
    return _modes(tf, _functions)


def derivatives(tf: Any) -> Answers:
    """Gradients have the dtypes of what they belong to."""

    def slope() -> list[Any]:
        w, s = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0], tf.float64)
        with tf.GradientTape() as tape:
            tape.watch([w, s])
            y = tf.reduce_sum(s * w * w) + 1
        return [y.numpy(), y.dtype, *[[g.numpy(), g.dtype] for g in tape.gradient(y, [w, s])]]

    def in_function() -> list[Any]:
        f = tf.function(lambda x: x * 2 + tf.constant(1))
        return [[y.numpy(), y.dtype] for y in (f(tf.constant(2.0, tf.float16)), f(tf.constant(2, tf.int8)), f(tf.constant(3)))]

    def forward() -> Any:
        w = tf.constant([1.0, 2.0])
        with tf.autodiff.ForwardAccumulator(w, tf.ones([2])) as acc:
            y = w * w * 3
        return acc.jvp(y).numpy()

    return _modes(tf, lambda tf: {"tape": slope, "function": in_function, "forward": forward})


def differences(tf: Any) -> Answers:
    """Where Pullback does otherwise: a weak tensor is a tensor, and its gradient is not weak."""

    def gradient() -> bool:
        w = tf.constant(1.0)
        with tf.GradientTape() as tape:
            tape.watch(w)
            y = w * w
        return "weak=True" in repr(tape.gradient(y, w))

    return {
        "is a tensor": ours(True, _each(tf, {"": lambda: isinstance(tf.constant(1.0), tf.Tensor)}, dtype_conversion_mode="all")[""]),
        "gradient": ours(False, _each(tf, {"": gradient}, dtype_conversion_mode="all")[""]),
        "ragged": ours(
            raised("InvalidArgumentError", says=("int32",)),
            raises(lambda: _each(tf, {"": lambda: tf.ragged.constant([[1]]) + 1.5}, dtype_conversion_mode="all")[""]()),
        ),
    }


def pairs(tf: Any) -> Answers:
    """Values of mixed sums as TensorFlow computes them: the operands are cast before."""
    some = {"uint8": 200, "int8": -3, "int32": 7, "int64": 2**40 + 1, "float16": 0.1, "float32": 0.1, "float64": 0.1}

    def sums(tf: Any) -> dict[str, Callable[[], Any]]:
        made = {name: tf.constant(v, getattr(tf, name)) for name, v in some.items()}
        return {f"{a} and {b}": _all(lambda a=a, b=b: [made[a] + made[b], made[a] * made[b]]) for a, b in itertools.combinations(some, 2)}

    return _each(tf, sums(tf), dtype_conversion_mode="all")
