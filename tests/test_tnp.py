"""`tf.experimental.numpy` beyond TensorFlow's answers: names, higher derivatives, graphs with unknown sizes, batches, forward mode."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.interop.names import tensorflow_names
from pullback.numpy_api.behavior import disable_numpy_behavior
from tests.cases.case import floats
from tests.programs import python

tnp = tf.experimental.numpy
SIGNATURES = json.loads((Path(__file__).parent / "golden/data/signatures.json").read_text())


@pytest.fixture
def behaving() -> Iterator[None]:
    tnp.experimental_enable_numpy_behavior()
    yield
    disable_numpy_behavior()


class TestNames:
    def test_all_of_tensorflows(self) -> None:
        assert set(tnp.__all__) == tensorflow_names()["tf.experimental.numpy"]
        assert set(tnp.random.__all__) == tensorflow_names()["tf.experimental.numpy.random"]
        assert all(hasattr(tnp, name) for name in tnp.__all__)

    @pytest.mark.parametrize("name", sorted(n for n in tnp.__all__ if f"tf.experimental.numpy.{n}" in SIGNATURES))
    def test_signature(self, name: str) -> None:
        value = getattr(tnp, name)
        if inspect.isclass(value):
            assert value in (tf.Tensor, tnp.iinfo) or value.__module__ == "numpy"
            return
        marks = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
        ours = [marks.get(p.kind, "") + p.name for p in inspect.signature(value).parameters.values()]
        assert ours == [p for p, _ in SIGNATURES[f"tf.experimental.numpy.{name}"]]

    def test_documented(self) -> None:
        assert [n for n in tnp.__all__ if inspect.isfunction(getattr(tnp, n)) and not getattr(tnp, n).__doc__] == []

    def test_unknown(self) -> None:
        with pytest.raises(AttributeError, match=r"TensorFlow has no tf\.experimental\.numpy\.summ"):
            _ = tnp.summ

    def test_nothing_is_imported_at_start(self) -> None:
        late = "pullback.numpy_api", "pullback.compat.v2.experimental"
        text = f"import sys, pullback\nprint([m for m in sys.modules if m.startswith({late})])"
        assert python("-c", text).stdout.strip() == "[]"


X = floats(2, 3, low=0.2, high=0.8, seed=5).astype(np.float64)
Y = floats(3, low=0.3, high=0.9, seed=6).astype(np.float64)

SMOOTH: dict[str, Callable[..., Any]] = {
    **{name: getattr(tnp, name) for name in (
        "exp", "exp2", "log2", "log10", "cbrt", "sinc", "arcsin", "deg2rad", "square", "reciprocal", "sum", "prod", "mean", "var", "std",
        "cumsum", "cumprod", "nansum", "average", "ravel", "diag", "sort", "amax", "ptp", "diff", "tril", "flip", "rot90",
    )},
    "vander": lambda x: tnp.vander(x[0]),
    "hypot": lambda x: tnp.hypot(x, Y),
    "logaddexp": lambda x: tnp.logaddexp(x, Y),
    "logaddexp2": lambda x: tnp.logaddexp2(Y, x),
    "power": lambda x: tnp.power(x, Y),
    "divide": lambda x: tnp.divide(Y, x),
    "polyval": lambda x: tnp.polyval(x[0], Y),
    "kron": lambda x: tnp.kron(x, x),
    "dot": lambda x: tnp.dot(x, Y),
    "cross": lambda x: tnp.cross(x, Y),
    "vdot": lambda x: tnp.vdot(x, x),
    "take": lambda x: tnp.take(x, [2, 0], axis=1),
    "take_along_axis": lambda x: tnp.take_along_axis(x, [[2, 0], [1, 1]], 1),
    "tile": lambda x: tnp.tile(x, [2, 1, 2]),
    "linspace": lambda x: tnp.linspace(x, 2 * x, 3),
    "var ddof": lambda x: tnp.var(x, ddof=1),
    "around": lambda x: tnp.around(x, 1) * x,
    "geomspace": lambda x: tnp.geomspace(x[0, 0], x[0, 1], 4),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(SMOOTH))
class TestDerivatives:
    def test_against_differences(self, name: str) -> None:
        tf.check_gradients(lambda x: tf.reduce_sum(tf.sin(SMOOTH[name](x))), tf.constant(X), order=2)

    def test_in_a_graph_and_forward(self, name: str) -> None:
        x, way = tf.constant(X), tf.constant(np.cos(X * 9))
        eager, graph = SMOOTH[name](x), tf.function(SMOOTH[name])(x)
        np.testing.assert_allclose(graph, eager, rtol=1e-12, atol=1e-14)
        with tf.autodiff.ForwardAccumulator(x, way) as forward:
            y = SMOOTH[name](x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = tf.reduce_sum(SMOOTH[name](x))
        slope = tf.reduce_sum(tape.gradient(total, x) * way)
        np.testing.assert_allclose(tf.reduce_sum(forward.jvp(y)), slope, rtol=1e-9, atol=1e-12)

    def test_rows_at_once(self, name: str) -> None:
        rows = np.stack([X, X + 0.05, X * 0.9])
        together = tf.vectorized_map(SMOOTH[name], tf.constant(rows))
        np.testing.assert_allclose(together, np.stack([SMOOTH[name](tf.constant(row)) for row in rows]), rtol=1e-10, atol=1e-13)


def test_sinc_at_zero_has_its_derivatives() -> None:
    x = tf.constant(0.0, tf.float64)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tnp.sinc(x)
        slope = inner.gradient(y, x)
    assert (float(y), float(slope)) == (1.0, 0.0)
    assert float(outer.gradient(slope, x)) == pytest.approx(-np.pi**2 / 3)


@pytest.mark.parametrize(
    "f",
    [
        tnp.sum, tnp.ravel, lambda x: tnp.reshape(x, [3, -1]), tnp.atleast_3d, lambda x: tnp.diagonal(x, 1),
        lambda x: tnp.var(x, axis=0, ddof=1),
        lambda x: tnp.kron(x, x), lambda x: tnp.tile(x, [2, 2]), lambda x: tnp.roll(x, 2), lambda x: tnp.take_along_axis(x, [[0], [1]], 1),
        lambda x: tnp.full_like(x, 2), lambda x: tnp.array_equal(x, x), lambda x: tnp.compress([True], x, 1), lambda x: tnp.average(x, 1),
        lambda x: tnp.nonzero(x)[1], lambda x: tnp.size(x), lambda x: tnp.clip(x, -1, x), lambda x: tnp.trace(x),
        lambda x: tnp.swapaxes(x, 0, 1),
    ],
)  # fmt: skip
def test_unknown_sizes(f: Callable[..., Any]) -> None:
    """A graph for matrices of any size gives what the eager call gives."""
    traced = tf.function(f, input_signature=[tf.TensorSpec([None, None], tf.float64)])
    np.testing.assert_allclose(traced(tf.constant(X)), f(tf.constant(X)), rtol=1e-12)


@pytest.mark.parametrize("f", [tnp.flip, tnp.atleast_2d, lambda x: tnp.dot(x, x), lambda x: tnp.moveaxis(x, 0, 1), lambda x: tnp.tril(x)])
def test_unknown_rank_is_said(f: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match="rank"):
        tf.function(f, input_signature=[tf.TensorSpec(None, tf.float64)])(tf.constant(X))


@pytest.mark.parametrize(
    "call",
    [
        lambda: tnp.cumsum(X, 2), lambda: tnp.flip(X, 5), lambda: tnp.moveaxis(X, 0, 2), lambda: tnp.take_along_axis(X, [[0]], 2),
        lambda: tnp.take_along_axis(X, [0], 1), lambda: tnp.compress([True], X, 2), lambda: tnp.trace(X, 0, 0, 2), lambda: tnp.trace([1.0]),
        lambda: tnp.eye(-1), lambda: tnp.tri(-1), lambda: tnp.average(X, axis=0, weights=[[[1.0]]]), lambda: tnp.cross(Y, Y, axis=1),
    ],
)  # fmt: skip
def test_invalid_arguments(call: Callable[[], Any]) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"axis|axes|weights|matrix"):
        call()


def test_axes_that_python_counts() -> None:
    with pytest.raises(IndexError, match="swapaxes: axis 2"):
        tnp.swapaxes(X, 0, 2)


@pytest.mark.usefixtures("behaving")
class TestBehaviour:
    def test_gradients_go_through_promotion(self) -> None:
        x, y = tf.constant([1.0, 2.0]), tf.constant([3, 4])
        with tf.GradientTape() as tape:
            tape.watch(x)
            z = (x * y + np.float64(0.5)) ** 2 / tf.constant(2.0, tf.float64)
        assert z.dtype == tf.float64
        slope = tape.gradient(z, x)
        assert slope.dtype == tf.float32
        assert slope.numpy().tolist() == [10.5, 34.0]

    def test_gradients_go_through_keys(self) -> None:
        x = tf.constant(X)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(x[[0, 1, 1], [2, 0, 0]] * [1.0, 2.0, 4.0])
        assert tape.gradient(y, x).numpy().tolist() == [[0.0, 0.0, 1.0], [6.0, 0.0, 0.0]]

    def test_an_empty_list_is_a_key(self) -> None:
        assert tf.constant(X)[:, []].shape == (2, 0)

    def test_too_many_parts(self) -> None:
        with pytest.raises(tf.errors.InvalidArgumentError, match="too many indices"):
            _ = tf.constant(X)[[0], [0], [0]]

    @pytest.mark.parametrize("key", [([2],), (slice(None), [-4]), [True, False, True], (0, np.array([3]))])
    def test_places_that_are_not_there(self, key: Any) -> None:
        with pytest.raises(tf.errors.InvalidArgumentError, match="they go from"):
            _ = tf.constant(X)[key]

    @pytest.mark.parametrize("key", ["a", 1.5, (0, [0.5])])
    def test_what_is_no_key(self, key: Any) -> None:
        with pytest.raises(IndexError, match="only integers"):
            _ = tf.constant(X)[key]

    def test_a_mask_among_others(self) -> None:
        with pytest.raises(NotImplementedError, match="rank 1"):
            _ = tf.constant(np.zeros([2, 3, 4]))[tf.constant([[True] * 3] * 2), 0]

    def test_graphs(self) -> None:
        @tf.function
        def f(x: Any, y: Any) -> Any:
            return (x + y).T.reshape(-1)[[0, 2]]

        assert f(tf.constant([[1, 2], [3, 4]]), tf.constant(0.5)).numpy().tolist() == [1.5, 2.5]

    def test_symbolic_tensors_have_no_list(self) -> None:
        with pytest.raises(ValueError, match="tolist"):
            tf.function(lambda x: x.tolist())(tf.constant(1.0))

    def test_ragged_tensors_stay_ragged(self) -> None:
        rows = tf.ragged.constant([[1, 2], [3]])
        assert (rows + tf.constant(0.5)).to_list() == [[1.5, 2.5], [3.5]]
        assert (rows * 2.5).to_list() == [[2.5, 5.0], [7.5]]

    @pytest.mark.parametrize(
        "key", [([1, -2],), (slice(None), [2, 0]), ([0, 1], [-1, 0]), ([[0], [1]], slice(None), [3, 1]), (0, [1, 1]), (..., None, [0, -1])]
    )
    def test_sizes_known_only_when_the_graph_runs(self, key: Any) -> None:
        x = tf.constant(floats(2, 3, 4))
        traced = tf.function(lambda t: t[key], input_signature=[tf.TensorSpec([None, None, None], tf.float32)])
        assert np.array_equal(traced(x), x[key])

    def test_graphs_of_tensorflow_1(self) -> None:
        with tf.Graph().as_default():
            x = tf.compat.v1.placeholder(tf.float32, [None])
            y = tnp.sum(x[[1, 0]] * tf.constant([1, 2]) + np.float64(1))
            slope = tf.gradients(y, x)[0]
            with tf.compat.v1.Session() as session:
                total, by_x = session.run([y, slope], {x: [3.0, 5.0]})
        assert (total, total.dtype, by_x.tolist()) == (13.0, np.float64, [2.0, 1.0])

    def test_scalars_of_any_integer_dtype_are_places(self) -> None:
        x = tf.reshape(tf.range(12), (3, 4))
        slices = tf.function(lambda i, j: (x[i:j], x[i], x[..., i]))
        for dtype in (tf.int8, tf.uint8, tf.int16, tf.uint32, tf.int64):
            i, j = tf.cast(1, dtype), tf.cast(2, dtype)
            assert x[i].numpy().tolist() == [4, 5, 6, 7] and x[i:].shape == (2, 4) and x[::j].shape == (2, 4)
            assert x[tf.constant([0, 1]), i].numpy().tolist() == [1, 5]
            assert [part.numpy().tolist() for part in slices(i, j)] == [[[4, 5, 6, 7]], [4, 5, 6, 7], [1, 5, 9]]
        for refused in (tf.uint64, tf.float32):
            for part in (tf.cast(1, refused), slice(tf.cast(1, refused), None)):
                with pytest.raises(IndexError, match="valid indices"):
                    _ = x[part]

    def test_what_numpy_cannot_type_is_left_alone(self) -> None:
        assert (tf.constant("a") + "b").numpy() == b"ab"


def test_behaviour_is_given_back() -> None:
    tnp.experimental_enable_numpy_behavior(prefer_float32=True)
    assert tnp.array(1.0).dtype == tf.float32
    disable_numpy_behavior()
    assert tnp.array(1.0).dtype == tf.float64
    assert not hasattr(tf.constant(1.0), "ravel")
    assert round(tf.constant(1.26), 1) == np.float32(1.3)
    with pytest.raises(ValueError, match="matrices"):
        _ = tf.zeros([2, 2, 2]).T


class TestDlpack:
    def test_no_copy_and_once(self) -> None:
        x = tf.constant([1.0, 2.0])
        capsule = tf.experimental.dlpack.to_dlpack(x)
        assert np.shares_memory(np.asarray(tf.experimental.dlpack.from_dlpack(capsule)), np.asarray(x))
        with pytest.raises((ValueError, BufferError), match=r"."):
            tf.experimental.dlpack.from_dlpack(capsule)

    def test_errors(self) -> None:
        with pytest.raises(tf.errors.InvalidArgumentError, match="must be a TF tensor"):
            tf.experimental.dlpack.to_dlpack(np.zeros(2))
        with pytest.raises(TypeError, match="capsule"):
            tf.experimental.dlpack.from_dlpack(3)


class TestConversionModes:
    """What "safe" and "all" leave behind, and what golden data cannot say."""

    @pytest.fixture(autouse=True)
    def modes(self) -> Iterator[None]:
        yield
        disable_numpy_behavior()

    def test_everything_is_put_back(self) -> None:
        faces = [tf, tf.math, tf.nn, tf.compat.v1, tf.compat.v2, tnp]
        before = [{name: getattr(face, name) for name in face.__all__} for face in faces]
        assert "weak" not in repr(tf.constant(1) + tf.constant(2))  # and operators that have run before go by the new rules as well
        tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="all")
        assert tf.add is not before[0]["add"] and "weak=True" in repr(tf.constant(1) + tf.constant(2))
        disable_numpy_behavior()
        for face, names in zip(faces, before, strict=True):
            assert [name for name, value in names.items() if getattr(face, name) is not value] == []
        assert "weak" not in repr(tf.constant(1) + 2)
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.constant(1) + tf.constant(1.0)
        with pytest.raises((TypeError, ValueError)):
            tf.Variable(1.0).assign(tf.constant(1.0, tf.float64))

    def test_weak_tensors_in_graphs(self) -> None:
        tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="all")
        v1 = tf.compat.v1
        with tf.Graph().as_default(), v1.Session() as session:
            x = v1.placeholder(tf.float16, [2])
            weak = tf.constant(3) * 2.0
            y = v1.multiply(x, weak)
            assert "weak=True" in repr(weak) and "weak=True" in str(weak) and "weak" not in repr(y) and y.dtype == tf.float16
            assert weak.to_tensor() is weak.op.outputs[0] and "weak" not in repr(weak.tensor)
            (slope,) = tf.gradients(y, x)
            assert session.run([weak, slope], {x: [1, 2]})[1].tolist() == [6, 6]

    def test_one_mode_after_another(self) -> None:
        for mode, dtype in (("all", "float64"), ("legacy", "float64"), ("all", "float64")):
            tnp.experimental_enable_numpy_behavior(dtype_conversion_mode=mode)
            assert (tf.constant(1, tf.int32) + 1.5).dtype == dtype
        tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="safe")
        with pytest.raises(TypeError, match="disallowed"):
            tf.constant(1, tf.int32) + 1.5

    def test_only_some_dtypes_are_weak(self) -> None:
        from pullback.numpy_api.weak import weaken

        with pytest.raises(TypeError, match="not allowed as a weak type"):
            weaken(tf.constant(1, tf.int8))
        weak = weaken(tf.constant(2.0))
        assert weaken(weak) is weak and weak.tensor.numpy() == 2.0 and "weak" not in repr(weak.to_tensor())
        assert str(weak) == "tf.Tensor(2.0, shape=(), dtype=float32, weak=True)"

    def test_types_that_the_table_does_not_know(self) -> None:
        tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="all")
        with pytest.raises(NotImplementedError, match="does not support"):
            tnp.result_type(object())
        with pytest.raises(NotImplementedError, match="not allowed"):
            tnp.result_type("text", 1)
        assert tnp.result_type(tf.TensorShape([1]), np.dtype("int8")) == tf.int32


def test_scalar_strings_are_joined() -> None:
    assert (tf.constant("a") + tf.constant("b")).numpy() == b"ab"
    assert repr(tf.constant("a") + tf.constant("b")) == "<tf.Tensor: shape=(), dtype=string, numpy=b'ab'>"
