"""`tf.experimental.numpy`: values, dtypes, gradients and errors of its functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tests.cases.case import floats
from tests.golden.programs.kit import Answers, ours, raises

FACE = "v2"

VECTOR = np.float32([-1.5, -0.25, 0.0, 0.5, 2.25])
POSITIVE = np.float32([0.2, 0.5, 0.8])
MATRIX = floats(3, 4, low=-2.0, high=2.0, seed=3)
CUBE = floats(2, 3, 4, low=-2.0, high=2.0, seed=4)
INTEGERS = np.int32([[7, -3, 0], [4, 12, -9]])
COMPLEX = np.complex64([1 + 2j, -0.5j, 3.0])
NAN, INF = float("nan"), float("inf")


def slopes(tf: Any, f: Callable[..., Any], *arrays: Any) -> Callable[[], Any]:
    """An answer: the value, and the gradients of a weighted sum of its elements."""

    def answer() -> Any:
        xs = [tf.constant(a) for a in arrays]
        with tf.GradientTape() as tape:
            tape.watch(xs)
            y = f(*xs)
            parts = y if isinstance(y, (list, tuple)) else [y]
            total = tf.add_n([tf.reduce_sum(tf.cast(p, tf.float64) * tf.reshape(_weights(tf, p), p.shape)) for p in parts])
        return {"value": y, "gradients": tape.gradient(total, xs)}

    return answer


def _weights(tf: Any, y: Any) -> Any:
    return tf.cast(tf.range(1, tf.size(y) + 1), tf.float64)


def each(f: Callable[[Callable[..., Any]], Any], functions: Mapping[str, Callable[..., Any]]) -> Answers:
    return {name: f(function) for name, function in functions.items()}


def floating(tf: Any) -> Answers:
    """Functions of floats, with their gradients."""
    tnp = tf.experimental.numpy
    names = "exp exp2 expm1 sin cos tan sinh cosh tanh arctan arcsinh deg2rad ceil floor fix sinc isnan isfinite signbit"
    anywhere = {name: getattr(tnp, name) for name in names.split()}
    away = "log log2 log10 log1p sqrt cbrt arcsin arccos arctanh reciprocal square abs absolute fabs negative positive rad2deg sign angle"
    inside = {name: getattr(tnp, name) for name in away.split()}
    found = {name: slopes(tf, f, VECTOR if name != "sinc" else VECTOR[VECTOR != 0]) for name, f in anywhere.items()}
    found |= {f"{name} inside": slopes(tf, f, POSITIVE.astype(np.float64 if name == "cbrt" else np.float32)) for name, f in inside.items()}
    found["arccosh"] = slopes(tf, tnp.arccosh, POSITIVE + 1)
    return found


def plain(tf: Any) -> Answers:
    """Functions without gradients, and of other dtypes."""
    tnp = tf.experimental.numpy
    at = tf.constant(np.float32([1.0, NAN, INF, -INF]))
    return {
        "sinc at 0": lambda: tnp.sinc(tf.constant(VECTOR)),
        "isinf": lambda: [tnp.isinf(at), tnp.isinf(tf.constant(1))],
        "isneginf": lambda: [tnp.isneginf(at), tnp.isneginf(tf.constant(1))],
        "isposinf": lambda: [tnp.isposinf(at), tnp.isposinf(tf.constant(1))],
        "complex": lambda: [tnp.abs(COMPLEX), tnp.conj(COMPLEX), tnp.conjugate(COMPLEX), tnp.real(COMPLEX), tnp.imag(COMPLEX), tnp.angle(COMPLEX)],
        "angle": lambda: [tnp.angle(COMPLEX, deg=True), tnp.angle(VECTOR), tnp.angle(VECTOR.astype(np.float64))],
        "iscomplex": lambda: [tnp.iscomplex(COMPLEX), tnp.isreal(COMPLEX), tnp.iscomplex([1.0]), tnp.iscomplexobj(COMPLEX), tnp.isrealobj(COMPLEX)],
        "bitwise_not": lambda: [tnp.bitwise_not(INTEGERS), tnp.bitwise_not([True, False])],
        "integers": lambda: [tnp.abs(INTEGERS), tnp.sign(INTEGERS), tnp.square(INTEGERS), tnp.negative(INTEGERS), tnp.signbit(INTEGERS)],
        "truths": lambda: [tnp.signbit([True, False]), tnp.logical_not([1.0, 0.0])],
        "sign refuses": raises(lambda: tnp.sign(VECTOR, out=VECTOR.tolist())),
        "types": lambda: [tnp.finfo(tf.float32).bits, tnp.iinfo(tnp.int8).max, tnp.issubdtype(tnp.int8, tnp.inexact), tnp.newaxis, tnp.pi, tnp.e],
    }


def arithmetic(tf: Any) -> Answers:
    """Functions of two arrays."""
    tnp = tf.experimental.numpy
    x, y = MATRIX[:, :3], MATRIX[:1, 1:]
    names = "add subtract multiply true_divide divide maximum minimum arctan2 heaviside floor_divide mod remainder logaddexp"
    found = {name: slopes(tf, getattr(tnp, name), x, y) for name in names.split()}
    found |= {f"{name} powers": slopes(tf, getattr(tnp, name), np.abs(x) + 0.1, y) for name in ("power", "float_power", "hypot", "logaddexp2")}
    many = "add subtract multiply divide floor_divide mod maximum minimum equal not_equal less less_equal greater greater_equal"
    many += " logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor gcd lcm divmod isclose array_equal allclose"
    other = np.int64([[3, -2, 5]])
    found |= {f"{name} integers": (lambda f=getattr(tnp, name): f(INTEGERS, other)) for name in many.split()}
    truths = "add multiply divide floor_divide maximum minimum equal less greater_equal bitwise_and bitwise_or bitwise_xor logical_xor"
    found |= {f"{name} truths": (lambda f=getattr(tnp, name): f([True, False], [True, True])) for name in truths.split()}
    mixed = "add multiply divide power maximum less equal where"
    found |= {
        f"{name} mixed": (lambda f=getattr(tnp, name): [f(INTEGERS, 1.5), f(np.float32([1.0, 2.0]), 3), f(np.int8([1, 2]), np.float16(2.0))])
        for name in mixed.split() if name != "where"
    }
    return found | {
        "maximum 0": slopes(tf, lambda a: tnp.maximum(a, 0), VECTOR),
        "nextafter": lambda: tnp.nextafter(VECTOR.astype(np.float64), 9.0),
        "clip": slopes(tf, lambda a: tnp.clip(a, -1.0, 1.0), VECTOR),
        "clip below": slopes(tf, lambda a: tnp.clip(a, None, 1.0), VECTOR),
        "clip above": slopes(tf, lambda a: tnp.clip(a, -1.0, None), VECTOR),
        "clip nothing": raises(lambda: tnp.clip(VECTOR, None, None)),
        "isclose": lambda: [tnp.isclose([1.0, NAN], [1.0 + 1e-9, NAN]), tnp.isclose([1.0, NAN], [1.1, NAN], equal_nan=True)],
        "allclose": lambda: [tnp.allclose(VECTOR, VECTOR), tnp.allclose([1.0], [1.0001], rtol=1e-3), tnp.allclose([1], [2])],
        "array_equal": lambda: [tnp.array_equal([1, 2], [1.0, 2.0]), tnp.array_equal([1], [1, 1]), tnp.array_equal([1], 1)],
        "logaddexp edges": lambda: tnp.logaddexp(tf.constant([INF, -INF, NAN, 800.0]), tf.constant([INF, -INF, 1.0, 800.0])),
        "gcd floats": raises(lambda: tnp.gcd(1.5, 2)),
        "gcd zeros": lambda: [tnp.gcd([0, 0, 6], [0, 5, -4]), tnp.lcm([0, 4], [0, -6])],
        "polyval": slopes(tf, lambda p, x: tnp.polyval(p, x), np.float32([1.5, -2.0, 0.5]), VECTOR),
        "polyval constant": lambda: tnp.polyval(2.0, [1.0, 2.0]),
        "shapes": raises(lambda: tnp.add([1, 2], [1, 2, 3])),
    }


def reductions(tf: Any) -> Answers:
    """Sums, extremes, means."""
    tnp = tf.experimental.numpy
    names = "sum prod mean amax amin max min ptp std var nansum nanmean nanprod average cumsum cumprod"
    found: Answers = {}
    for name in names.split():
        f = getattr(tnp, name)
        found[f"{name}"] = slopes(tf, f, MATRIX)
        found[f"{name} axis"] = slopes(tf, lambda a, f=f: f(a, axis=-1), MATRIX)
        if name not in ("average", "nansum", "nanprod"):
            found[f"{name} integers"] = lambda f=f: [f(INTEGERS), f(INTEGERS, axis=0), f(np.uint8([1, 2]))]
        if name not in ("average", "cumsum", "cumprod"):
            found[f"{name} kept"] = lambda f=f: f(MATRIX, axis=0, keepdims=True)
    holes = np.float32([[1.0, NAN], [2.0, 3.0]])
    return found | {
        "holes": lambda: [f(holes, axis=0) for f in (tnp.nansum, tnp.nanprod, tnp.nanmean)],
        "truths": lambda: [f([True, False, True]) for f in (tnp.sum, tnp.prod, tnp.mean, tnp.amax, tnp.amin, tnp.all, tnp.any)],
        "dtypes": lambda: [tnp.sum(MATRIX, dtype=float), tnp.sum([0, 2], dtype=bool), tnp.prod([0, 2], dtype=bool), tnp.mean([1, 2], dtype=np.float32)],
        "all": lambda: [tnp.all(INTEGERS, axis=0), tnp.any(INTEGERS, axis=1, keepdims=True), tnp.all([]), tnp.any([])],
        "axes": slopes(tf, lambda a: tnp.sum(a, axis=(0, 2)), CUBE),
        "var ddof": slopes(tf, lambda a: tnp.var(a, axis=1, dtype=np.float32, ddof=1), MATRIX),
        "var dtype": lambda: tnp.var(MATRIX, dtype=np.float64),
        "average weights": slopes(tf, lambda a, w: tnp.average(a, weights=w), MATRIX, MATRIX**2),
        "average along": slopes(tf, lambda a, w: tnp.average(a, axis=1, weights=w, returned=True), MATRIX, np.float32([1, 2, 3, 4])),
        "average returned": lambda: tnp.average(MATRIX, axis=0, returned=True),
        "average misfit": raises(lambda: tnp.average(MATRIX, weights=np.float32([[1.0]]))),
        "average axes": raises(lambda: tnp.average(MATRIX, axis=(0, 1))),
        "count_nonzero": lambda: [tnp.count_nonzero(INTEGERS), tnp.count_nonzero(INTEGERS, 1)],
        "diff": slopes(tf, lambda a: tnp.diff(a, 2, 0), MATRIX),
        "diff truths": lambda: tnp.diff([True, False, False]),
        "diff negative": raises(lambda: tnp.diff([1], -1)),
        "diff axis": raises(lambda: tnp.diff([1], 1, 1)),
        "out": [raises(lambda f=f: f(MATRIX, out=MATRIX)) for f in (tnp.mean, tnp.amax, tnp.amin, tnp.var)][0],
        "cumsum dtype": lambda: [tnp.cumsum(np.int8([100, 100])), tnp.cumsum(np.int8([1, 2]), dtype=np.float32), tnp.cumprod([2, 3], axis=0)],
    }


def creation(tf: Any) -> Answers:
    """Arrays from nothing."""
    tnp = tf.experimental.numpy
    return {
        "array": lambda: [tnp.array(v) for v in (1, 1.5, True, 2j, [1, 2.5], [], [[1, 2]], "text", np.float32([1.0]), [tf.constant(1.0), 2])],
        "array dtype": lambda: [tnp.array([1.7, -1.7], int), tnp.array([0, 2], bool), tnp.array([1, 2], np.float16), tnp.array(3, tf.complex64)],
        "array ndmin": lambda: [tnp.array([1, 2], ndmin=3), tnp.ascontiguousarray(1.0), tnp.asanyarray([1]), tnp.copy([1.0])],
        "array ndmin too much": raises(lambda: tnp.array(1, ndmin=33)),
        "zeros": lambda: [tnp.zeros([2, 1]), tnp.zeros(2, int), tnp.empty((1,), np.float32), tnp.ones([2]), tnp.ones(2, bool)],
        "like": lambda: [tnp.zeros_like(INTEGERS), tnp.ones_like(1.5), tnp.empty_like([1], float), tnp.full_like(INTEGERS, 2.7), tnp.full_like([1], 2.5, float)],
        "like order": raises(lambda: tnp.full_like([1], 1, order="C")),
        "full": lambda: [tnp.full([2, 2], 7), tnp.full(2, 1.5), tnp.full([2, 2], [1, 2], np.float32), tnp.broadcast_to([1, 2], [2, 2])],
        "full misfit": raises(lambda: tnp.full([2], [1, 2, 3])),
        "eye": lambda: [tnp.eye(2), tnp.eye(2, 3, 1), tnp.eye(3, 2, -1, int), tnp.eye(2, k=5), tnp.eye(2, k=-2), tnp.eye(4, 3, 1), tnp.identity(2, np.float32)],
        "arange": lambda: [tnp.arange(3), tnp.arange(1.5, 4), tnp.arange(5, 1, -2), tnp.arange(0, 1, 0.25), tnp.arange(3, dtype=float), tnp.arange(-1), tnp.arange(1, 5, -1)],
        "arange step": raises(lambda: tnp.arange(0, 3, 0)),
        "linspace": lambda: [tnp.linspace(0, 1, 5), tnp.linspace(0.0, 1.0, 4, endpoint=False), tnp.linspace(0, 5, 3, dtype=int), tnp.linspace(2.0, 2.0, 1), *tnp.linspace(0, 1, 5, retstep=True)],
        "linspace arrays": slopes(tf, lambda a, b: tnp.linspace(a, b, 3, axis=1), VECTOR, VECTOR * 2 + 1),
        "linspace negative": raises(lambda: tnp.linspace(0, 1, -1)),
        "logspace": lambda: [tnp.logspace(0, 2, 3), tnp.logspace(0.0, 1.0, 3, base=2.0, endpoint=False)],
        "geomspace": lambda: [tnp.geomspace(1, 8, 4), tnp.geomspace(-1.0, -100.0, 3), tnp.geomspace(1.0, 2.0, 3, endpoint=False)],
        "geomspace dtype": lambda: tnp.geomspace(1.0, 8.0, 4, dtype=np.float32),
        "tri": lambda: [tnp.tri(3), tnp.tri(2, 4, 1), tnp.tri(3, k=-1, dtype=int), tnp.tri(2, k=-5), tnp.tri(2, k=5)],
        "tril": slopes(tf, lambda a: tnp.tril(a, 1), CUBE),
        "triu": slopes(tf, lambda a: tnp.triu(a, -1), CUBE),
        "tril vector": raises(lambda: tnp.tril([1, 2])),
        "triu vector": raises(lambda: tnp.triu([1, 2])),
        "vander": slopes(tf, tnp.vander, VECTOR + 3),
        "vander more": lambda: [tnp.vander([2, 3], 4), tnp.vander([2, 3], 3, increasing=True)],
        "vander errors": raises(lambda: tnp.vander([[1]])),
        "vander negative": raises(lambda: tnp.vander([1], -1)),
        "diag_indices": lambda: [*tnp.diag_indices(3), *tnp.diag_indices(2, 3)],
        "diag_indices negative": raises(lambda: tnp.diag_indices(-1)),
        "meshgrid": lambda: [*tnp.meshgrid([1, 2], [3, 4, 5]), *tnp.meshgrid([1, 2], [3], indexing="ij")],
        "meshgrid sparse": raises(lambda: tnp.meshgrid([1], sparse=True)),
        "result_type": lambda: [tnp.result_type(*v) for v in ((1,), (1.0,), (1, 2.0), (np.float32(1), 2.0), (tnp.int8, tnp.uint8), ([1, 2.5],), (tf.int32, tf.float32), (True,), (), (2j, np.float32))],
        "promote_types": lambda: str(tnp.promote_types(tf.int32, tf.float32)),
    }


def shapes(tf: Any) -> Answers:
    """The same elements in another shape, joined and parted."""
    tnp = tf.experimental.numpy
    cube = {
        "reshape": lambda a: tnp.reshape(a, [4, -1]),
        "reshape columns": lambda a: tnp.reshape(a, (4, 6), order="F"),
        "ravel": tnp.ravel,
        "flatten columns": lambda a: tnp.flatten(a, "F"),
        "expand_dims": lambda a: tnp.expand_dims(a, 1),
        "squeeze": lambda a: tnp.squeeze(a[:1]),
        "transpose": tnp.transpose,
        "transpose axes": lambda a: tnp.transpose(a, [1, 2, 0]),
        "swapaxes": lambda a: tnp.swapaxes(a, 0, -1),
        "moveaxis": lambda a: tnp.moveaxis(a, 2, 0),
        "moveaxis two": lambda a: tnp.moveaxis(a, (0, 1), (-1, 0)),
        "flip": tnp.flip,
        "flip axis": lambda a: tnp.flip(a, -1),
        "flipud": tnp.flipud,
        "fliplr": tnp.fliplr,
        "rot90": tnp.rot90,
        "rot90 twice": lambda a: tnp.rot90(a, 2, (1, 2)),
        "rot90 back": lambda a: tnp.rot90(a, -1, (0, 2)),
        "roll": lambda a: tnp.roll(a, 5),
        "roll axis": lambda a: tnp.roll(a, -1, 1),
        "repeat": lambda a: tnp.repeat(a, 2),
        "repeat axis": lambda a: tnp.repeat(a, [1, 0, 2], 1),
        "tile": lambda a: tnp.tile(a, [2, 1]),
        "tile more": lambda a: tnp.tile(a, [2, 1, 1, 2]),
        "pad": lambda a: tnp.pad(a, [[0, 1], [1, 0], [2, 1]], "constant", constant_values=3.0),
        "pad reflect": lambda a: tnp.pad(a, [[0, 0], [1, 1], [1, 0]], "reflect"),
        "pad symmetric": lambda a: tnp.pad(a, [[1, 0], [1, 1], [1, 0]], "symmetric"),
        "atleast_3d": tnp.atleast_3d,
        "split": lambda a: tnp.split(a, 2, -1),
        "split places": lambda a: tnp.split(a, [1, 1, 7], 2),
        "hsplit": lambda a: tnp.hsplit(a, 3),
        "vsplit": lambda a: tnp.vsplit(a, [1]),
        "dsplit": lambda a: tnp.dsplit(a, 2),
        "stack tensor": lambda a: tnp.stack(a, 1),
        "stack": lambda a: tnp.stack([a, a * 2], -1),
        "concatenate": lambda a: tnp.concatenate([a, a[:, :1]], 1),
        "append": lambda a: tnp.append(a, [1.0, 2.0]),
        "append axis": lambda a: tnp.append(a, a, axis=0),
        "hstack": lambda a: tnp.hstack([a, a[:, :1]]),
        "vstack": lambda a: tnp.vstack([a[0], a[0, 0]]),
        "dstack": lambda a: tnp.dstack([a[0], a[1]]),
        "broadcast_arrays": lambda a: tnp.broadcast_arrays(a, a[:, :1]),
    }
    return each(lambda f: slopes(tf, f, CUBE), cube) | {
        "ask": lambda: [tnp.shape(CUBE), tnp.ndim(CUBE), tnp.isscalar(1.0), tnp.isscalar([1]), tnp.size(CUBE), tnp.size(1.0)],
        "atleast": lambda: [tnp.atleast_1d(1), *tnp.atleast_2d(1.0, [1, 2]), tnp.atleast_3d(1), tnp.atleast_3d([1, 2])],
        "hstack scalars": lambda: tnp.hstack([1, 2.5]),
        "concatenate mixed": lambda: tnp.concatenate([[1, 2], np.float32([3.5])]),
        "tile scalar": lambda: tnp.tile(3, 2),
        "size axis": raises(lambda: tnp.size(CUBE, 0)),
        "reshape order": raises(lambda: tnp.reshape(CUBE, [24], order="A")),
        "reshape misfit": raises(lambda: tnp.reshape(CUBE, [5])),
        "flatten order": raises(lambda: tnp.flatten(CUBE, "X")),
        "moveaxis lengths": raises(lambda: tnp.moveaxis(CUBE, (0, 1), (0,))),
        "pad mode": raises(lambda: tnp.pad(CUBE, [[0, 0]] * 3, "edge")),
        "split places down": raises(lambda: tnp.split([1, 2, 3], [2, 1])),
        "hsplit misfit": raises(lambda: tnp.hsplit(tf.constant(CUBE), 2)),
        "concatenate nothing": raises(lambda: tnp.concatenate([])),
        "concatenate misfit": raises(lambda: tnp.concatenate([CUBE, MATRIX])),
        "broadcast options": raises(lambda: tnp.broadcast_arrays([1], subok=True)),
    }


def places(tf: Any) -> Answers:
    """Elements by place, condition and rank."""
    tnp = tf.experimental.numpy
    cube = {
        "take": lambda a: tnp.take(a, [3, 99, -5]),
        "take axis": lambda a: tnp.take(a, [[2, 0]], axis=1),
        "take wrap": lambda a: tnp.take(a, [-1, 4], axis=2, mode="wrap"),
        "take_along_axis": lambda a: tnp.take_along_axis(a, [[[0], [-1], [2]]], -1),
        "take_along_axis middle": lambda a: tnp.take_along_axis(a, [[[1, 0, 2, 1]]], 1),
        "take_along_axis flat": lambda a: tnp.take_along_axis(tnp.ravel(a), [3, 0], 0),
        "compress": lambda a: tnp.compress([False, True], a, axis=1),
        "compress flat": lambda a: tnp.compress([True, False, True], a),
        "where": lambda a: tnp.where(a > 0, a, 2 * a),
        "select": lambda a: tnp.select([a > 1, a > 0], [a, a * a], -1.0),
        "diag part": lambda a: tnp.diag(a[0], 1),
        "diag": lambda a: tnp.diag(a[0, 0], -1),
        "diagflat": lambda a: tnp.diagflat(a[0, :2, :2]),
        "diagonal": lambda a: tnp.diagonal(a, 1),
        "diagonal last": lambda a: tnp.diagonal(a, -1, 1, 2),
        "trace": lambda a: tnp.trace(a, 1, 0, 2),
        "trace last": lambda a: tnp.trace(a, 0, 1, 2),
        "sort": tnp.sort,
        "sort axis": lambda a: tnp.sort(a, 0),
        "sort flat": lambda a: tnp.sort(a, None),
    }
    return each(lambda f: slopes(tf, f, CUBE), cube) | {
        "nonzero": lambda: [*tnp.nonzero(INTEGERS), *tnp.nonzero(3), *tnp.where([True, False, True])],
        "argmax": lambda: [tnp.argmax(CUBE), tnp.argmax(CUBE, 1), tnp.argmin(CUBE), tnp.argmin(CUBE, -1), tnp.argmax(3)],
        "argsort": lambda: [tnp.argsort(CUBE), tnp.argsort(INTEGERS, 0), tnp.argsort(INTEGERS, None, kind="stable"), tnp.argsort(3.0)],
        "ix_": lambda: [*tnp.ix_([0, 1], [True, False, True])],
        "where mixed": lambda: tnp.where([1, 0], 1, 2.5),
        "select mixed": lambda: tnp.select([[True, False]], [[1, 2]], 0.5),
        "diagonal beyond": lambda: [tnp.diagonal(CUBE, 9), tnp.diag([], 2)],
        "trace dtype": lambda: tnp.trace(INTEGERS, dtype=float),
        "take out": raises(lambda: tnp.take([1], 0, out=1)),
        "take raise": raises(lambda: tnp.take([1], 0, mode="raise")),
        "take mode": raises(lambda: tnp.take([1], 0, mode="near")),
        "compress rank": raises(lambda: tnp.compress([[True]], [1])),
        "where one": raises(lambda: tnp.where([True], [1])),
        "select lengths": raises(lambda: tnp.select([[True]], [])),
        "select nothing": raises(lambda: tnp.select([], [])),
        "ix_ rank": raises(lambda: tnp.ix_([[1]])),
        "ix_ floats": raises(lambda: tnp.ix_([1.5])),
        "diag rank": raises(lambda: tnp.diag(CUBE), otherwise=("InvalidArgumentError",)),
        "sort kind": raises(lambda: tnp.sort([1], kind="heapsort")),
        "sort order": raises(lambda: tnp.sort([1], order="x")),
        "argsort kind": raises(lambda: tnp.argsort([1], kind="heapsort")),
        "argsort complex": raises(lambda: tnp.argsort(COMPLEX)),
    }


def products(tf: Any) -> Answers:
    """Products of vectors, matrices and arrays."""
    tnp = tf.experimental.numpy
    a, v, w = MATRIX, VECTOR[:4], VECTOR[1:]
    pairs: dict[str, tuple[Callable[..., Any], Any, Any]] = {
        "dot": (tnp.dot, v, w),
        "dot matrices": (tnp.dot, a, a.T),
        "dot rows": (tnp.dot, CUBE, v),
        "dot scalar": (tnp.dot, np.float32(2.0), a),
        "inner": (tnp.inner, a, CUBE),
        "inner scalar": (tnp.inner, a, np.float32(3.0)),
        "vdot": (tnp.vdot, a, a * 2),
        "outer": (tnp.outer, a, v),
        "kron": (tnp.kron, a[:2, :2], a[:, :2]),
        "kron ranks": (tnp.kron, v, a),
        "matmul": (tnp.matmul, a, a.T),
        "matmul batch": (tnp.matmul, CUBE, a.T),
        "matmul vector": (tnp.matmul, CUBE, v),
        "vector matmul": (tnp.matmul, v, a.T),
        "tensordot": (tnp.tensordot, a, a),
        "tensordot axes": (lambda x, y: tnp.tensordot(x, y, [[1], [1]]), a, a),
        "einsum": (lambda x, y: tnp.einsum("ij,kj->ik", x, y), a, a),
        "cross": (tnp.cross, a[:, :3], a[:, 1:]),
        "cross two": (tnp.cross, a[:, :2], a[:, 2:]),
        "cross mixed": (tnp.cross, a[:, :2], a[:, 1:]),
        "cross axis": (lambda x, y: tnp.cross(x, y, axis=0), a, a[:, ::-1].copy()),
        "cross axes": (lambda x, y: tnp.cross(x, y, axisa=0, axisb=0, axisc=0), a, a[:, ::-1].copy()),
    }
    return {name: slopes(tf, f, x, y) for name, (f, x, y) in pairs.items()} | {
        "vdot complex": lambda: tnp.vdot(COMPLEX, COMPLEX),
        "mixed": lambda: [tnp.dot([1, 2], [0.5, 1.5]), tnp.matmul([[1, 2]], np.float32([[1.0], [2.0]])), tnp.outer([1, 2], [0.5])],
        "matmul misfit": raises(lambda: tnp.matmul(MATRIX, MATRIX), otherwise=("InvalidArgumentError",)),
        "einsum casting": raises(lambda: tnp.einsum("i->", [1], casting="unsafe")),
        "einsum optimize": raises(lambda: tnp.einsum("i->", [1], optimize="best")),
    }


def random(tf: Any) -> Answers:
    """TensorFlow's own numbers."""
    r = tf.experimental.numpy.random

    def seeded(f: Callable[[], Any]) -> Callable[[], Any]:
        def answer() -> Any:
            r.seed(7)
            return f()

        return answer

    return {
        "rand": seeded(lambda: [r.rand(2, 3), r.rand()]),
        "random": seeded(lambda: [r.random([2]), r.random(())]),
        "uniform": seeded(lambda: [r.uniform(-1.0, [1.0, 2.0]), r.uniform(2, 3, [2, 2])]),
        "randn": seeded(lambda: [r.randn(2, 3), r.randn()]),
        "standard_normal": seeded(lambda: [r.standard_normal(3), r.standard_normal([2, 2])]),
        "poisson": seeded(lambda: [r.poisson(3.0, 4), r.poisson([1.0, 20.0], [3])]),
        "randint": seeded(lambda: [r.randint(5, size=4), r.randint(-3, 3, [2, 2], np.int32), r.randint(9)]),
        "randint dtype": raises(lambda: r.randint(3, dtype=np.int8)),
        "seed": raises(lambda: r.seed([1])),
    }


def beyond(tf: Any) -> Answers:
    """What TensorFlow computes only after `experimental_enable_numpy_behavior`, and we always."""
    tnp = tf.experimental.numpy
    return {
        "sin of integers": ours(np.sin([1.0, 2.0]), lambda: tnp.sin([1, 2])),
        "hypot of two dtypes": ours(np.float64([5.0]), lambda: tnp.hypot(np.float32([3.0]), np.float64([4.0]))),
        "nansum of integers": ours(np.int64(3), lambda: tnp.nansum([1, 2])),
        "meshgrid of two dtypes": ours([np.int64([[1, 2]]), np.float64([[3.0, 3.0]])], lambda: tnp.meshgrid([1, 2], [3.0])),
        "isinf of a list": ours(np.array([False, True]), lambda: tnp.isinf([1.0, INF])),
    }
