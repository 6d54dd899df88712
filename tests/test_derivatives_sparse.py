"""Sparse derivatives: patterns, colourings, compressed passes, and patterns that turn out wrong."""

from __future__ import annotations

import pickle
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

import pullback as tf

Array = np.ndarray
RANDOM = np.random.default_rng(3)
VECTOR = RANDOM.normal(size=12)
MATRIX = RANDOM.normal(size=(3, 4))
UPPER = tf.constant(np.triu(RANDOM.normal(size=(4, 4))))
FILTER = tf.constant([[[1.0]], [[2.0]], [[3.0]]], tf.float64)
IDS = tf.constant([0, 2, 0])

EXACT: dict[str, tuple[Callable[[Any], Any], Array]] = {
    "band": (lambda x: x[1:-1] * x[2:] - tf.sin(x[:-2]), VECTOR),
    "roll": (lambda x: tf.roll(x, 1, 0) * x, VECTOR),
    "pad": (lambda x: tf.pad(x[:-1], [[1, 0]]) + x**2, VECTOR),
    "reverse and concat": (lambda x: tf.concat([x[::-1], x[:2] * 2.0], 0), VECTOR),
    "sum": (lambda x: tf.reduce_sum(x**2, axis=0), MATRIX),
    "mean": (lambda x: x - tf.reduce_mean(x, 1, keepdims=True), MATRIX),
    "norm": (lambda x: tf.norm(x, axis=1), MATRIX),
    "product": (lambda x: tf.reduce_prod(x, axis=0), MATRIX),
    "a triangular factor": (lambda x: x @ UPPER, MATRIX),
    "itself, transposed": (lambda x: tf.matmul(x, x, transpose_b=True), MATRIX),
    "transposed, itself": (lambda x: tf.transpose(x) @ x, MATRIX),
    "batches of products": (lambda x: tf.matmul(tf.reshape(x, [3, 2, 2]), tf.reshape(x, [3, 2, 2])), VECTOR),
    "gather": (lambda x: tf.gather(x, [0, 0, 2]) ** 2, MATRIX),
    "segments": (lambda x: tf.math.unsorted_segment_sum(x, IDS, 3), MATRIX),
    "softmax": (lambda x: tf.nn.softmax(x), MATRIX),
    "stack and unstack": (lambda x: tf.stack(tf.unstack(x, axis=1)), MATRIX),
    "transpose": (lambda x: tf.transpose(x) * tf.constant(MATRIX.T + 1.0), MATRIX),
    "broadcast": (lambda x: x[:, None, None] * tf.ones([2, 3], tf.float64) + x[0], VECTOR[:4]),
    "leaky": (lambda x: tf.nn.leaky_relu(x), VECTOR),
    "determinants": (lambda x: tf.linalg.det(tf.reshape(x, [3, 2, 2])), VECTOR),
    "a function": (tf.function(lambda x: x[1:] * x[:-1]), VECTOR),
    "a loop": (lambda x: tf.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, s * tf.roll(x, 1, 0)), [0, x])[1], VECTOR),
    "a branch": (lambda x: tf.cond(x[0] < 100.0, lambda: x[1:] * x[:-1], lambda: x[1:]), VECTOR),
    "a convolution": (lambda x: tf.nn.conv1d(x[None, :, None], FILTER, 1, "SAME")[0, :, 0] ** 2, VECTOR),
    "an average pool": (lambda x: tf.nn.avg_pool1d(x[None, :, None], 2, 2, "VALID") ** 2, VECTOR),
    "einsum": (lambda x: tf.einsum("ij,ij->i", x, x), MATRIX),
    "einsum with a matrix": (lambda x: tf.einsum("ij,jk->ki", x, tf.ones([4, 2], tf.float64)), MATRIX),
    "scatter": (lambda x: tf.scatter_nd([[0], [2], [0]], x, [3, 4]) ** 2, MATRIX),
    "no path": (lambda x: tf.stop_gradient(x) + 0.0 * x[0], VECTOR),
}
COVERING: dict[str, tuple[Callable[[Any], Any], Array]] = {
    "maximum of a row": (lambda x: tf.reduce_max(x, axis=1), MATRIX),
    "where": (lambda x: tf.where(x > 0.0, x, tf.reverse(x, [0])), VECTOR),
    "clip": (lambda x: tf.clip_by_value(x, -0.5, 0.5), VECTOR),
    "sort": (lambda x: tf.sort(x), VECTOR),
    "cumulative sums": (lambda x: tf.cumsum(x), VECTOR),
    "computed indices": (lambda x: tf.gather(x, tf.argsort(x)), VECTOR),
    "an inverse": (lambda x: tf.linalg.inv(tf.reshape(x[:4], [2, 2])), VECTOR),
}


def truth(f: Callable[[Any], Any], x: Array) -> Array:
    plain = getattr(f, "python_function", f)
    found = tf.jacobian(plain, tf.constant(x), unconnected_gradients="zero").numpy()
    return found.reshape(-1, x.size)


@pytest.mark.parametrize("name", EXACT)
def test_patterns_are_exact(name: str) -> None:
    f, x = EXACT[name]
    pattern = tf.jacobian_pattern(f, x)
    expected = truth(f, x) != 0.0
    if name == "no path":
        expected[:, 0] = True  # a product with zero is a path
    assert pattern.toarray().tolist() == expected.tolist()


@pytest.mark.parametrize("name", COVERING)
def test_patterns_cover_what_values_decide(name: str) -> None:
    f, x = COVERING[name]
    pattern = tf.jacobian_pattern(f, x).toarray()
    assert (pattern >= (truth(f, x) != 0.0)).all()
    assert pattern.shape == truth(f, x).shape


@pytest.mark.parametrize("mode", [None, "forward", "reverse"])
@pytest.mark.parametrize("name", [n for n in {**EXACT, **COVERING} if n != "no path"])
def test_sparse_jacobians_are_the_jacobian(name: str, mode: str | None) -> None:
    f, x = {**EXACT, **COVERING}[name]
    coloring = tf.color_jacobian(tf.jacobian_pattern(f, x), mode)
    found = tf.sparse_jacobian(f, x, coloring)
    assert isinstance(found, csr_array)
    np.testing.assert_allclose(found.toarray(), truth(f, x), rtol=1e-11, atol=1e-12)


def test_structures_and_variables_are_one_row_and_column_after_the_other() -> None:
    v = tf.Variable(VECTOR[:3])
    point = {"a": tf.constant(MATRIX), "v": v}

    def f(p: Any) -> Any:
        return (p["a"][:, 0] * p["v"], tf.reduce_sum(p["a"], axis=1))

    blocks = tf.jacobian(f, point, unconnected_gradients="zero")
    expected = np.block([[blocks[i]["a"].numpy().reshape(3, 12), blocks[i]["v"].numpy()] for i in (0, 1)])
    np.testing.assert_allclose(tf.sparse_jacobian(f, point).toarray(), expected, rtol=1e-12)


def rosenbrock(x: Any) -> Any:
    return tf.reduce_sum((1.0 - x[:-1]) ** 2 + 100.0 * (x[1:] - x[:-1] ** 2) ** 2)


HESSIANS: dict[str, tuple[Callable[[Any], Any], int]] = {
    "rosenbrock": (rosenbrock, 3),
    "an arrow": (lambda x: x[0] * tf.reduce_sum(x**2), 2),
    "separable": (lambda x: tf.reduce_sum(tf.exp(x)), 1),
    "all with all": (lambda x: tf.reduce_sum(x) ** 3, 12),
    "linear": (lambda x: tf.reduce_sum(x), 0),
    "a stencil": (lambda x: tf.reduce_sum(tf.nn.conv1d(x[None, :, None], FILTER, 1, "SAME") ** 3), 5),
    "an average": (lambda x: tf.reduce_sum(tf.nn.avg_pool1d(x[None, :, None], 2, 2, "VALID") ** 3), 2),
    "a grid": (lambda x: tf.reduce_sum(tf.reshape(x, [3, 4])[1:] ** 2 * tf.reshape(x, [3, 4])[:-1] ** 2), 4),
}


@pytest.mark.parametrize("name", HESSIANS)
def test_sparse_hessians_are_the_hessian(name: str) -> None:
    f, most = HESSIANS[name]
    coloring = tf.color_hessian(tf.hessian_pattern(f, VECTOR))
    assert coloring.count <= max(most, 1)
    found = tf.sparse_hessian(f, VECTOR, coloring)
    np.testing.assert_allclose(found.toarray(), tf.hessian(f, tf.constant(VECTOR)).numpy(), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("seed", range(15))
def test_colourings_of_random_patterns_can_be_read_back(seed: int) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 15))
    pattern = random.random((n, n)) < random.uniform(0.05, 0.5)
    matrix = np.where(pattern, random.normal(size=(n, n)), 0.0)
    for mode in ("forward", "reverse"):
        c = tf.color_jacobian(pattern, mode)
        seeds = np.equal.outer(np.arange(c.count), c.colors).astype(float)
        compressed = seeds @ (matrix.T if mode == "forward" else matrix)
        read = csr_array((compressed.ravel()[c.places], c.indices, c.indptr), shape=(n, n)).toarray()
        np.testing.assert_allclose(read, matrix, rtol=1e-12, atol=1e-12)
    symmetric = matrix + matrix.T
    c = tf.color_hessian(symmetric)
    seeds = np.equal.outer(np.arange(c.count), c.colors).astype(float)
    read = csr_array(((seeds @ symmetric).ravel()[c.places], c.indices, c.indptr), shape=(n, n)).toarray()
    np.testing.assert_allclose(read, symmetric, rtol=1e-12, atol=1e-12)


def test_a_colouring_is_reused_and_pickled() -> None:
    f, x = EXACT["band"]
    coloring = pickle.loads(pickle.dumps(tf.color_jacobian(tf.jacobian_pattern(f, x))))
    assert coloring.count == 3
    assert repr(coloring) == "<Coloring of a jacobian, 10 by 12 with 30 entries: 3 colours, forward>"
    for seed in range(3):
        point = np.random.default_rng(seed).normal(size=12)
        np.testing.assert_allclose(tf.sparse_jacobian(f, point, coloring).toarray(), truth(f, point), rtol=1e-12)


def test_many_colours_travel_together() -> None:
    """More than a handful of colours are one vectorized pass."""
    f = HESSIANS["all with all"][0]
    found = tf.sparse_hessian(f, VECTOR)
    assert found.nnz == 144
    np.testing.assert_allclose(found.toarray(), np.full((12, 12), 6.0 * VECTOR.sum()), rtol=1e-11)
    rows = tf.sparse_jacobian(lambda x: tf.cumsum(x * x), VECTOR)
    np.testing.assert_allclose(rows.toarray(), np.tril(np.ones((12, 12))) * 2.0 * VECTOR, rtol=1e-12, atol=1e-12)


def branching(x: Any) -> Any:
    return x * 2.0 if float(x[0]) > 0.0 else x[::-1] * 2.0


def test_a_pattern_that_turns_out_wrong_is_refused() -> None:
    coloring = tf.color_jacobian(tf.jacobian_pattern(branching, np.array([1.0, 2.0, 3.0])))
    assert coloring.count == 1
    with pytest.raises(ValueError, match=r"does not hold at this point: row 0 .*new colouring"):
        tf.sparse_jacobian(branching, np.array([-1.0, 2.0, 3.0]), coloring)

    def curved(x: Any) -> Any:
        return tf.reduce_sum(x**2) if float(x[0]) > 0.0 else tf.reduce_sum(x) ** 2

    of_hessian = tf.color_hessian(tf.hessian_pattern(curved, np.array([1.0, 2.0])))
    with pytest.raises(ValueError, match="does not hold"):
        tf.sparse_hessian(curved, np.array([-1.0, 2.0]), of_hessian)


def test_what_is_refused() -> None:
    coloring = tf.color_jacobian(np.eye(3))
    refused: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: tf.sparse_jacobian(lambda x: x, np.ones(4), coloring), ValueError, r"\(3, 3\).*\(4, 4\)"),
        (lambda: tf.sparse_jacobian(lambda x: x, np.array([1, 2])), TypeError, "int64"),
        (lambda: tf.sparse_jacobian(lambda x: x, np.array([1j])), TypeError, "complex128"),
        (lambda: tf.jacobian_pattern(lambda x: tf.complex(x, x), np.ones(2)), ValueError, "complex"),
        (lambda: tf.jacobian_pattern(lambda x: tf.cumsum(x), np.ones(20_000)), ValueError, "Cumsum mixes.*not sparse"),
        (lambda: tf.hessian_pattern(lambda x: x, np.ones(2)), ValueError, "scalar.*jacobian_pattern"),
        (lambda: tf.color_jacobian(np.eye(2), "sideways"), ValueError, "forward.*reverse"),
        (lambda: tf.color_hessian(np.ones((2, 3))), ValueError, "square"),
        (lambda: tf.function(lambda x: tf.sparse_jacobian(lambda x: x, x))(tf.ones([2])), TypeError, "outside of graphs"),
    ]
    for call, kind, words in refused:
        with pytest.raises(kind, match=words):
            call()


def test_nothing_at_all() -> None:
    assert tf.sparse_jacobian(lambda x: x[1:] * x[:-1], np.zeros(1)).shape == (0, 1)
    assert tf.sparse_jacobian(lambda x: x * x, np.zeros(0)).shape == (0, 0)


def test_a_long_band_takes_a_handful_of_passes_and_little_memory() -> None:
    n = 20_000
    x = tf.constant(np.random.default_rng(0).normal(size=n))
    passes = []

    def f(x: Any) -> Any:
        passes.append(1)
        return x[1:-1] * x[2:] - tf.sin(x[:-2])

    tracemalloc.start()
    coloring = tf.color_jacobian(tf.jacobian_pattern(f, x))
    assert coloring.count == 3
    found = tf.sparse_jacobian(f, x, coloring)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 3000 * n  # a dense one has 8 n * n bytes, 50 times as many
    assert len(passes) == 2
    assert found.nnz == 3 * (n - 2)


@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize("mode", ["forward", "reverse"])
@pytest.mark.parametrize("name", EXACT)
def test_traced_functions_have_traced_passes(name: str, mode: str, check: bool) -> None:
    f, x = EXACT[name]
    traces = []

    @tf.function(autograph=False, jit_compile=True)
    def traced(x: Any) -> Any:
        traces.append(x)
        return f(x)

    coloring = tf.color_jacobian(tf.jacobian_pattern(f, x), mode)
    for shift in (0.0, 0.5, 1.0):
        plain = tf.sparse_jacobian(f, x + shift, coloring)
        close = tf.sparse_jacobian(traced, x + shift, coloring, check=check)
        np.testing.assert_allclose(close.toarray(), plain.toarray(), rtol=1e-12, atol=1e-12)
        close.data[:] = np.nan  # what is given belongs to whom it was given
        close.indices[:] = 0
    assert len(traces) == 1
    assert pickle.loads(pickle.dumps(coloring)).count == coloring.count


def test_traced_passes_of_structures_methods_and_variables() -> None:
    class Model:
        def __init__(self, scale: float) -> None:
            self.scale = scale
            self.traces = 0

        @tf.function
        def __call__(self, parts: Any) -> Any:
            self.traces += 1
            return {"y": parts["a"] * tf.reduce_sum(parts["b"]) * self.scale, "z": tf.cast(parts["b"], tf.float64) ** 2}

    point = {"a": tf.Variable([1.0, 2.0, 3.0], dtype=tf.float64), "b": tf.constant([[4.0], [5.0]], tf.float64)}
    one, two = Model(1.0), Model(2.0)
    coloring = tf.color_jacobian(tf.jacobian_pattern(one, point))
    for model in (one, two, one, two):
        expected = np.zeros((5, 5))
        expected[:3, :3] = np.eye(3) * 9.0 * model.scale
        expected[:3, 3:] = np.array([[1.0], [2.0], [3.0]]) * model.scale
        expected[3:, 3:] = np.diag([8.0, 10.0])
        np.testing.assert_allclose(tf.sparse_jacobian(model.__call__, point, coloring).toarray(), expected)
    assert two.traces == 1
    point["a"].assign([0.0, 0.0, 1.0])
    np.testing.assert_allclose(tf.sparse_jacobian(one.__call__, point, coloring).toarray()[:3, 3], [0.0, 0.0, 1.0])


def test_traced_passes_of_unknown_sizes_and_many_functions() -> None:
    relaxed = tf.function(lambda x: x * tf.roll(x, 1, 0), input_signature=[tf.TensorSpec([None], tf.float64)])
    expected = tf.sparse_jacobian(lambda x: x * tf.roll(x, 1, 0), VECTOR)
    coloring = tf.color_jacobian(expected)
    for _ in range(2):
        np.testing.assert_allclose(tf.sparse_jacobian(relaxed, VECTOR, coloring).toarray(), expected.toarray())
    for factor in range(20):
        scaled = tf.function(lambda x, factor=factor: x * tf.roll(x, 1, 0) * factor)
        np.testing.assert_allclose(tf.sparse_jacobian(scaled, VECTOR, coloring).toarray(), expected.toarray() * factor)
    assert len(coloring.programs) <= 8


def test_traced_hessians_and_patterns_that_turn_out_wrong() -> None:
    loss = tf.function(lambda x: tf.reduce_sum(x[1:] ** 2 * x[:-1]))
    coloring = tf.color_hessian(tf.hessian_pattern(loss, VECTOR))
    for shift in (0.0, 1.0):
        np.testing.assert_allclose(
            tf.sparse_hessian(loss, VECTOR + shift, coloring).toarray(), tf.hessian(loss, tf.constant(VECTOR + shift)), atol=1e-12
        )
    turning = tf.function(lambda x: tf.cond(x[0] > 0.0, lambda: x * 2.0, lambda: x[::-1] * 2.0))
    for mode in ("forward", "reverse"):
        narrow = tf.color_jacobian(np.eye(3), mode)
        assert tf.sparse_jacobian(turning, np.array([1.0, 2.0, 3.0]), narrow).toarray().tolist() == (2 * np.eye(3)).tolist()
        with pytest.raises(ValueError, match=r"does not hold at this point: row 0 .*\(2 rows do\)"):
            tf.sparse_jacobian(turning, np.array([-1.0, 2.0, 3.0]), narrow)
    with pytest.raises(ValueError, match="the colouring is of a matrix of shape"):
        tf.sparse_jacobian(turning, np.ones(4), narrow)
