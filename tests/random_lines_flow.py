"""Lines of random programs that hold functions: branches, loops, maps, arrays, gradients of their own, tapes, accumulators."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.random_lines import Draw

Found = tuple[str, list[str], bool] | None
_FLOATS = ("float32", "float64")
_NEAR = ("bfloat16", "float16")
_COMPLEX = ("complex64", "complex128")
# Of x and y, which have one shape.
_STEPS = (
    "tf.tanh({x}) * {y}", "tf.sin({x}) + {y}", "tf.sigmoid({x} - {y})", "{x} * 0.5 + {y} * {y} * 0.1", "tf.maximum({x}, {y}) * 0.5",
    "tf.where({x} > {y}, tf.sin({x}), tf.cos({y}))", "tf.nn.softplus({x}) - {y}", "tf.math.xlogy({x}, tf.abs({y}) + 1)",
    "{x} / (tf.abs({y}) + 1)", "tf.stop_gradient({x}) * tf.sin({y}) + tf.sin({x})", "tf.exp(-tf.square({x})) - tf.stop_gradient({y})",
    "tf.reduce_mean({x}) + tf.math.erf({y})", "tf.clip_by_value({x}, -1, 1) * {y}",
)  # fmt: skip
_ALONE = (
    "tf.sin({x}) * {x}", "tf.tanh({x})", "tf.exp(-tf.square({x}))", "tf.reduce_sum({x}) * tf.cos({x})", "tf.math.log1p(tf.square({x}))",
    "tf.sigmoid({x}) ** 2", "tf.math.erf({x}) * tf.reduce_mean({x})", "tf.sqrt(tf.abs({x}) + 1)", "tf.nn.softplus({x})",
    "tf.nn.elu({x}) * 0.5", "tf.math.atan2({x}, tf.square({x}) + 1)", "tf.nn.gelu({x})",
)  # fmt: skip
_ROWS = ("tf.cumsum({x}, -1)", "tf.nn.softmax({x}, -1)", "tf.reverse({x}, [-1]) * {x}", "{x} - tf.reduce_mean({x}, -1, True)",
         "tf.nn.log_softmax({x}, -1)", "tf.sort({x}, -1)", "tf.concat([{x}[..., 1:], {x}[..., :1]], -1) * {x}",
         "tf.math.cumprod(tf.sin({x}), -1)")  # fmt: skip


# What TensorFlow takes a tenth of a second and more for, as it traces functions, or has no second gradient of.
_COSTLY = ("recompute", "push", "curve", "function", "jacobian", "batch", "rows", "rows of two")


def _same(draw: Draw, values: dict[str, Any], x: str) -> str:
    shape = values[x].shape.as_list()
    return str(draw.pick([n for n, v in values.items() if v.dtype is values[x].dtype and v.shape.as_list() == shape]))


def _alone(draw: Draw, rank: int, x: str = "x") -> str:
    return draw.pick(_ALONE + _ROWS if rank else _ALONE).format(x=x)


def _read(*names: str) -> list[str]:
    return list(dict.fromkeys(names))


def _condition(draw: Draw, values: dict[str, Any]) -> tuple[str, list[str]]:
    c = draw._one(values, (*_FLOATS, "int32", "int64"))
    if c is None:
        return draw.pick(("tf.constant(True)", "tf.constant(False)")), []
    return f"tf.reduce_sum(tf.cast({c}, tf.float64)) > {draw.pick((-1.25, 0.25, 2.25))}", [c]


def _branches(draw: Draw, values: dict[str, Any]) -> Found:
    x = draw._one(values, _FLOATS)
    if x is None:
        return None
    y, (condition, more) = _same(draw, values, x), _condition(draw, values)
    ways = [draw.pick(_STEPS).format(x=x, y=y) for _ in range(4)]
    kind = draw.pick(("case", "switch", "nested", "loop in it", "in a loop"))
    reads = _read(x, y, *more)
    if kind == "case":
        text = f"tf.case([({condition}, lambda: {ways[0]}), (tf.size({x}) > 6, lambda: {ways[1]})], default=lambda: {ways[2]})"
    elif kind == "switch":
        at = f"tf.cast({condition}, tf.int32) + {draw.pick((-1, 0, 1, 2))}"
        text = f"tf.switch_case({at}, [lambda: {ways[0]}, lambda: {ways[1]}, lambda: {ways[2]}])"
    elif kind == "nested":
        text = f"tf.cond({condition}, lambda: tf.cond(tf.size({x}) > 3, lambda: {ways[0]}, lambda: {ways[1]}), lambda: {ways[2]})"
    elif kind == "loop in it":
        loop = f"tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, {draw.pick(_STEPS).format(x='a', y=y)}), (0, {x}))[1]"
        text = f"tf.cond({condition}, lambda: {loop}, lambda: {ways[1]})"
    else:
        branch = [draw.pick(_STEPS).format(x="a", y=y) for _ in range(2)]
        body = f"lambda i, a: (i + 1, tf.cond(i % 2 > 0, lambda: {branch[0]}, lambda: {branch[1]}))"
        text = f"tf.while_loop(lambda i, a: i < 4, {body}, (0, {x}))[1]"
    return text, reads, True


def _loops(draw: Draw, values: dict[str, Any]) -> Found:
    x = draw._one(values, _FLOATS)
    if x is None:
        return None
    y, step, turns = _same(draw, values, x), draw.pick(_STEPS), int(draw.pick((0, 1, 2, 4)))
    kind = draw.pick(("array", "two", "stops", "nested", "parallel"))
    if kind == "array":
        text = f"h.array({x}, lambda a, b: {step.format(x='a', y='b')}, {turns}, {bool(draw.rng.random() < 0.5)})"
        return text, [x], True
    if kind == "two":
        body = f"lambda i, a, b: (i + 1, {step.format(x='a', y='b')}, a)"
        return f"tf.while_loop(lambda i, a, b: i < {turns}, {body}, (0, {x}, {y}))[{draw.pick((1, 2))}]", _read(x, y), True
    if kind == "stops":
        until = f"lambda i, a: tf.logical_and(i < 6, tf.reduce_sum(tf.abs(tf.cast(a, tf.float64))) > {draw.pick((1.3, 5.3))})"
        return f"tf.while_loop({until}, lambda i, a: (i + 1, a * 0.5), (0, {x}))[1]", [x], True
    if kind == "nested":
        inner = f"tf.while_loop(lambda j, b: j < i, lambda j, b: (j + 1, {step.format(x='b', y=y)}), (0, a))[1]"
        return f"tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, {inner}), (0, {x}))[1]", _read(x, y), True
    body = f"lambda i, a: (i + 1, {step.format(x='a', y=y)})"
    return f"tf.while_loop(lambda i, a: i < 9, {body}, (0, {x}), maximum_iterations={turns}, parallel_iterations=1)[1]", _read(x, y), True


def _maps(draw: Draw, values: dict[str, Any]) -> Found:
    x = draw._one(values, _FLOATS, least=1)
    if x is None or not 0 < values[x].shape.as_list()[0] < 9:
        return None
    rank, y, step = values[x].shape.rank - 1, _same(draw, values, x), draw.pick(_STEPS)
    return draw.pick(
        (
            (f"tf.map_fn(lambda x: {_alone(draw, rank)}, {x})", [x], True),
            (f"tf.map_fn(lambda r: {step.format(x='r[0]', y='r[1]')}, ({x}, {y}), fn_output_signature={x}.dtype)", _read(x, y), True),
            (f"tf.scan(lambda a, b: {step.format(x='a', y='b')}, {x}, reverse={bool(draw.rng.random() < 0.5)})", [x], True),
            (f"tf.scan(lambda a, b: {step.format(x='a', y='b')}, {x}, initializer=tf.ones_like({x}[0]))", [x], True),
            (f"tf.fold{draw.pick('lr')}(lambda a, b: {step.format(x='a', y='b')}, {x})", [x], True),
            (f"tf.fold{draw.pick('lr')}(lambda a, b: {step.format(x='a', y='b')}, {x}, initializer={x}[0] * 0.5)", [x], True),
        )
    )


def _inside(draw: Draw, values: dict[str, Any]) -> Found:
    x = draw._one(values, _FLOATS)
    if x is None:
        return None
    rank, dims, y = values[x].shape.rank, values[x].shape.as_list(), _same(draw, values, x)
    f = f"lambda x: {_alone(draw, rank)}"
    size = values[x].shape.num_elements()
    kind = draw.pick(_COSTLY if draw.rng.random() < 0.1 else ("slope", "custom", "sparse", "pass"))
    if kind == "jacobian" and size <= 12:
        return f"h.jacobian({f}, {x})", [x], True
    if kind == "batch" and rank == 2 and size <= 40:
        return f"h.batch_jacobian(lambda x: {draw.pick(_ROWS).format(x='x')}, {x})", [x], True
    if kind == "sparse" and rank and dims[0]:
        ids = [int(k) for k in draw.rng.integers(0, dims[0], int(draw.rng.integers(1, 5)))]
        return f"h.sparse_slope({f}, {x}, {ids})", [x], True
    if kind == "rows" and rank and 0 < dims[0] < 9:
        return f"tf.vectorized_map(lambda x: {_alone(draw, rank - 1)}, {x})", [x], True
    if kind == "rows of two" and rank and 0 < dims[0] < 9:
        return f"tf.vectorized_map(lambda r: {draw.pick(_STEPS).format(x='r[0]', y='r[1]')}, ({x}, {y}))", _read(x, y), True
    if kind == "custom":
        rule = draw.pick(("g * tf.sin(x)", "g + x", "tf.clip_by_value(g, -0.5, 0.5)", "tf.zeros_like(g)", "g * tf.stop_gradient(x)"))
        return f"h.custom({x}, lambda x: {_alone(draw, 0)}, lambda g, x: {rule})", [x], True
    if kind in ("push", "curve"):
        return f"h.{kind}({f}, {x}, {y})", _read(x, y), True
    if kind == "function":
        return f"h.function(lambda x, y: {draw.pick(_STEPS).format(x='x', y='y')}, {x}, {y})", _read(x, y), True
    if kind == "pass":
        return f"tf.grad_pass_through(lambda x: {draw.pick(('tf.sin(x)', 'tf.round(x)', 'tf.floor(x) * 0.5'))})({x})", [x], True
    return f"h.{'recompute' if kind == 'recompute' else 'slope'}({f}, {x})", [x], True


def _masks(draw: Draw, values: dict[str, Any]) -> Found:
    x = draw._one(values, least=1)
    if x is None:
        return None
    rank, rng = values[x].shape.rank, draw.rng
    count = int(rng.integers(1, rank + 2))
    begin, end = ([int(k) for k in rng.integers(-4, 5, count)] for _ in range(2))
    steps = [int(draw.pick((1, 1, 2, -1, -2))) for _ in range(count)]
    masks = {f"{name}_mask": int(rng.integers(0, 2**count)) for name in ("begin", "end")}
    masks |= {"ellipsis_mask": int(2 ** rng.integers(0, count)) if rng.random() < 0.4 else 0}
    masks |= {f"{name}_mask": int(rng.integers(0, 2**count)) if rng.random() < 0.4 else 0 for name in ("new_axis", "shrink_axis")}
    return f"tf.strided_slice({x}, {begin}, {end}, {steps}, {', '.join(f'{k}={v}' for k, v in masks.items())})", [x], False


def _casts(draw: Draw, values: dict[str, Any]) -> Found:
    """To and from the dtypes that few values have."""
    x = draw._one(values)
    if x is None:
        return None
    kind, to = values[x].dtype.name, draw.pick(("bfloat16", "float16", "complex64", "complex128", "float64", "float32"))
    if kind in _COMPLEX:
        return f"tf.{draw.pick(('math.real', 'math.imag', 'abs', 'math.angle', 'math.conj'))}({x})", [x], True
    if to in _COMPLEX and kind in _FLOATS:
        y = _same(draw, values, x)
        return f"tf.complex({x}, {y})", _read(x, y), False
    if kind == "bool" or draw.rng.random() < 0.8:
        return f"tf.cast({x}, tf.{to})", [x], True
    whole = draw.pick(("int8", "uint8", "int16", "uint16", "int32", "int64", "uint32"))
    return f"tf.cast(tf.saturate_cast({x}, tf.{whole}), tf.int32)", [x], False


FLOW: tuple[tuple[float, Callable[[Draw, dict[str, Any]], Found]], ...] = (
    (1.2, _branches), (1.2, _loops), (1.2, _maps), (2.0, _inside), (1.2, _masks), (1.2, _casts),
)  # fmt: skip
