"""More lines of random programs: complex numbers, scans, random draws, bands, segments, factors, places that are computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.random_lines import Draw

Found = tuple[str, list[str], bool] | None
WIDE = ("float32", "float64")
WHOLE = ("int32", "int64")
_COMPLEX = (
    "tf.math.real(tf.complex({0}, {1}) * tf.complex({1}, 0.5 * {0}))", "tf.math.imag(tf.square(tf.complex({0}, {1})))",
    "tf.abs(tf.complex({0}, {1}) + tf.complex(tf.ones_like({0}), tf.zeros_like({0})))",
    "tf.math.real(tf.reduce_sum(tf.complex({0}, {1}) * tf.math.conj(tf.complex({1}, {0}))))",
    "tf.math.imag(tf.complex({0}, {1}) / tf.complex(tf.abs({1}) + 1, {0}))",
)  # fmt: skip


def _complex(draw: Draw, values: dict[str, Any]) -> Found:
    x = draw._one(values, WIDE)
    if x is None:
        return None
    y = draw._like(values, x)
    return draw.pick(_COMPLEX).format(x, y), list(dict.fromkeys([x, y])), True


def _extreme(draw: Draw, values: dict[str, Any]) -> Found:
    x = draw._one(values, least=1)
    if x is None:
        return None
    axis = int(draw.rng.integers(values[x].shape.rank))
    return f"tf.arg{draw.pick(('max', 'min'))}({x}, {axis}, tf.{draw.pick(WHOLE)})", [x], False


def _scan(draw: Draw, values: dict[str, Any]) -> Found:
    x = draw._one(values, WIDE, least=1)
    if x is None:
        return None
    axis = int(draw.rng.integers(values[x].shape.rank))
    flags = f"exclusive={bool(draw.rng.random() < 0.3)}, reverse={bool(draw.rng.random() < 0.3)}"
    if draw.rng.random() < 0.5:
        return f"tf.math.cumprod(tf.sin({x}), {axis}, {flags})", [x], True
    return f"tf.math.cumulative_logsumexp({x}, {axis}, reverse={bool(draw.rng.random() < 0.3)})", [x], True


def _random(draw: Draw, values: dict[str, Any]) -> Found:
    x = draw._one(values, (*WIDE, "float16"))
    if x is None:
        return None
    kind, seed = values[x].dtype.name, [int(s) for s in draw.rng.integers(0, 99, 2)]
    drawn = f"tf.random.stateless_{draw.pick(('uniform', 'normal'))}({values[x].shape.as_list()}, {seed}, dtype=tf.{kind})"
    return f"{x} * {drawn}", [x], True


def _segment(draw: Draw, values: dict[str, Any]) -> Found:
    x = draw._one(values, (*WIDE, *WHOLE), least=1)
    if x is None:
        return None
    n = values[x].shape.as_list()[0]
    which = draw.pick(("max", "min", "mean")) if values[x].dtype.name in WIDE else draw.pick(("max", "min"))
    if n and draw.rng.random() < 0.4:
        ids = sorted(int(k) for k in draw.rng.integers(0, 4, n))
        return f"tf.math.segment_{which}({x}, tf.constant({ids}, tf.int32))", [x], True
    ids = [int(k) for k in draw.rng.integers(-1, 4, n)]
    found = f"tf.math.unsorted_segment_{which}({x}, tf.constant({ids}, tf.int32, [{n}]), 4)"
    return f"tf.clip_by_value({found}, -99, 99)", [x], True


def _diagonals(draw: Draw, values: dict[str, Any]) -> Found:
    x = draw._one(values, (*WIDE, *WHOLE), least=1)
    if x is None or 0 in values[x].shape.as_list():
        return None
    rank, dims = values[x].shape.rank, values[x].shape.as_list()
    if rank < 2 or draw.rng.random() < 0.4:
        return f"tf.linalg.diag({x}, k={int(draw.rng.integers(-2, 3))}, padding_value={draw.pick((0, 0, 2))})", [x], False
    d = int(draw.rng.integers(1 - dims[-2], dims[-1]))
    if draw.rng.random() < 0.5:
        return f"tf.linalg.diag_part({x}, k={d})", [x], False
    return f"tf.linalg.set_diag({x}, tf.linalg.diag_part({x}, k={d}) * 2, k={d})", [x], False


def _factors(draw: Draw, values: dict[str, Any]) -> Found:
    x = draw._one(values, WIDE, least=2)
    if x is None or not 0 < values[x].shape.as_list()[-2] < 9:
        return None
    n, kind = values[x].shape.as_list()[-2], values[x].dtype.name
    square = f"tf.matmul(tf.tanh({x}), tf.tanh({x}), transpose_b=True) + 2 * tf.eye({n}, dtype=tf.{kind})"
    which = draw.pick(("tf.linalg.cholesky({})", "tf.linalg.inv({})", "tf.linalg.logdet({})", "tf.linalg.solve({}, tf.tanh({x}))"))
    return which.format(square, x=x), [x], True


def _computed(draw: Draw, values: dict[str, Any]) -> Found:
    x, i = draw._one(values, least=1), draw._one(values, WHOLE)
    if x is None or i is None:
        return None
    dims = values[x].shape.as_list()
    if not dims[0] or not values[i].shape.num_elements():
        return None
    at = f"tf.cast(tf.reshape({i}, [-1])[0] % {dims[0]}, tf.int32)"
    if draw.rng.random() < 0.5:
        return f"{x}[{at}]", list(dict.fromkeys([x, i])), False
    start = f"tf.stack([{at}, {', '.join('0' for _ in dims[1:])}])" if dims[1:] else f"tf.stack([{at}])"
    return f"tf.slice({x}, {start}, {[1, *dims[1:]]})", list(dict.fromkeys([x, i])), False


def _blocks(draw: Draw, values: dict[str, Any]) -> Found:
    x = draw._one(values, least=2)
    if x is None:
        return None
    n = values[x].shape.as_list()[1]
    if draw.rng.random() < 0.5:
        return f"tf.space_to_batch({x}, [2], [[0, {n % 2}]])", [x], False
    lengths = [int(k) for k in draw.rng.integers(0, n + 1, values[x].shape.as_list()[0])]
    return f"tf.reverse_sequence({x}, tf.constant({lengths}, tf.int32, [{len(lengths)}]), seq_axis=1, batch_axis=0)", [x], False


MORE: tuple[tuple[float, Callable[[Draw, dict[str, Any]], Found]], ...] = (
    (1.0, _complex), (0.7, _extreme), (0.8, _scan), (0.5, _random), (0.6, _segment), (0.8, _diagonals), (0.6, _factors), (0.6, _computed),
    (0.5, _blocks),
)  # fmt: skip
