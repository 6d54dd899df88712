"""Native parts of kernels, loops (`kernels.loops`) most of all, against the kernels' own ways on NumPy: the same results and errors."""

from __future__ import annotations

import numpy as np
import pytest

import pullback as tf
from pullback.kernels import blocked, reductions
from pullback.kernels.backend import ENGINE

pytest.importorskip("llvmlite")
RNG = np.random.default_rng(5)
RAW = tf.raw_ops


@pytest.fixture(params=["native", "python"])
def both(request):
    """Gives what a function gives natively and on NumPy; in the second turn the loops run in Python itself, through a stand-in."""

    before, found = tf.config.optimizer.get_jit(), ENGINE.find_loop

    def run(function):
        outs = []
        for mode in (True, False):
            tf.config.optimizer.set_jit(mode)
            if request.param == "python":
                ENGINE.find_loop = (lambda loop, *_: in_python(loop)) if mode else found
            outs.append([np.asarray(x) for x in tf.nest.flatten(function())])
        return outs

    yield run
    ENGINE.find_loop = found
    tf.config.optimizer.set_jit(bool(before))


def the_same(pair, exact=True):
    native, plain = pair
    assert len(native) == len(plain)
    for a, b in zip(native, plain, strict=True):
        assert a.dtype == b.dtype and a.shape == b.shape
        if exact:
            np.testing.assert_array_equal(a, b)
        else:
            np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-6)


def floats(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def in_python(loop):
    """The loop as Python runs it."""

    def run(*given, **constants):
        with np.errstate(all="ignore"):
            return loop(*given, **constants)

    return run


@pytest.mark.parametrize("odd", [False, True])
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_in_top_k(both, odd, dtype):
    scores = np.round(floats(70, 130), 1)
    if odd:
        scores[3, 1], scores[9, 129], scores[20, 64], scores[30] = np.nan, np.inf, -np.inf, 0.0
    targets = RNG.integers(-1, 132, 70).astype(dtype)
    for k in (0, 1, 10, 130):
        the_same(both(lambda k=k: RAW.InTopKV2(predictions=scores, targets=targets, k=tf.constant(k, dtype))))


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint64", "bool"])
def test_distinct_rows(both, dtype):
    rows = RNG.integers(0, 2 if dtype == "bool" else 3, (1500, 6)).astype(dtype)
    the_same(both(lambda: RAW.UniqueV2(x=rows, axis=[0])))
    the_same(both(lambda: RAW.UniqueWithCountsV2(x=rows.T.copy(), axis=[1], out_idx=tf.int64)))


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_histogram(both, dtype):
    values = (4 * RNG.standard_normal(9001)).astype(dtype)
    if dtype.startswith("float"):
        values[:2] = np.inf, -np.inf
    bounds = np.array([-3, 5], dtype)
    the_same(both(lambda: tf.histogram_fixed_width(values, bounds, 17)))
    if dtype.startswith("float"):
        values[77] = np.nan
        with pytest.raises(tf.errors.InvalidArgumentError, match="NaN"):
            both(lambda: tf.histogram_fixed_width(values, bounds, 17))


@pytest.mark.parametrize("kind", ["Max", "Avg"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
@pytest.mark.parametrize("overlapping", [False, True])
def test_fractional_pools(both, kind, dtype, overlapping):
    x = (10 * floats(2, 31, 29, 5)).astype(dtype)
    if dtype == "float32" and kind == "Max":
        x[0, 3, 4, :] = np.nan
    how = {"pooling_ratio": [1.0, 1.4, 2.3, 1.0], "overlapping": overlapping, "deterministic": True, "seed": 3, "seed2": 4}
    pair = both(lambda: getattr(RAW, f"Fractional{kind}Pool")(value=x, **how))
    the_same(pair)
    if kind == "Max":
        y, rows, columns = pair[1]
        given = {"orig_input": x, "orig_output": y, "out_backprop": np.arange(y.size, dtype=dtype).reshape(y.shape)}
        where = {"row_pooling_sequence": rows, "col_pooling_sequence": columns, "overlapping": overlapping}
        the_same(both(lambda: RAW.FractionalMaxPoolGrad(**given, **where)))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_isotonic_regression(both, dtype):
    x = (3 * floats(40, 220)).astype(dtype)
    x[0], x[1] = np.arange(220), -np.arange(220)
    the_same(both(lambda: tf.nn.isotonic_regression(x)), exact=False)


@pytest.mark.parametrize("merge", [False, True])
def test_greedy_decoder(both, merge):
    x = np.round(floats(50, 9, 21), 1)
    x[3, 2, 4:] = 0.0
    x[4, 2, :] = -0.0
    lengths = np.array([50, 0, 50, 1, 2, 49, 30, 50, 7], np.int32)
    for blank in (20, 0, -1):
        the_same(both(lambda blank=blank: RAW.CTCGreedyDecoder(inputs=x, sequence_length=lengths, merge_repeated=merge, blank_index=blank)))
    x[5, 0, 7] = np.nan
    the_same(both(lambda: RAW.CTCGreedyDecoder(inputs=x, sequence_length=lengths, merge_repeated=merge)))


@pytest.mark.parametrize("merge", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_beam_search(both, merge, dtype):
    x = (2 * floats(30, 3, 12)).astype(dtype)
    x[:, 1] = np.round(x[:, 1])  # with ties
    lengths = np.array([30, 30, 28], np.int32)
    for width in (26, 40):
        how = {"beam_width": width, "top_paths": 3, "merge_repeated": merge}
        the_same(both(lambda how=how: RAW.CTCBeamSearchDecoder(inputs=x, sequence_length=lengths, **how)), exact=False)


def test_beam_search_of_few_frames(both):
    x = floats(400, 1, 30)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Less leaves"):
        both(lambda: RAW.CTCBeamSearchDecoder(inputs=x, sequence_length=np.array([0], np.int32), beam_width=90, top_paths=2))
    the_same(
        both(lambda: RAW.CTCBeamSearchDecoder(inputs=x, sequence_length=np.array([400], np.int32), beam_width=90, top_paths=2)), exact=False
    )


@pytest.mark.parametrize("kind", ["Max", "Avg"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("padding", ["SAME", "VALID"])
@pytest.mark.parametrize("layout", ["NHWC", "NCHW"])
def test_pools_that_move_by_one(both, monkeypatch, kind, dtype, padding, layout):
    monkeypatch.setattr(blocked, "SHARED", 1 << 13)
    x = floats(3, 23, 19, 7).astype(dtype)
    if kind == "Max":
        x[0, 5, 6, :], x[1, 0, 0, 3], x[1, 22, 18, 3] = np.nan, -np.inf, np.inf
    where = {"input" if kind == "Max" else "value": x, "strides": [1, 1, 1, 1], "padding": padding, "data_format": layout}
    for tall, wide in ((3, 3), (2, 5), (1, 4)):
        size = [1, tall, wide, 1] if layout == "NHWC" else [1, 1, tall, wide]
        the_same(both(lambda size=size: getattr(RAW, f"{kind}Pool")(ksize=size, **where)))
    if kind == "Max" and layout == "NHWC" and padding == "VALID":
        where |= {"padding": "EXPLICIT", "explicit_paddings": [0, 0, 1, 2, 2, 0, 0, 0]}
        the_same(both(lambda: RAW.MaxPool(ksize=[1, 3, 3, 1], **where)))


@pytest.mark.parametrize("length", [7, 64, 1000])
@pytest.mark.parametrize("name", ["Any", "All"])
def test_truth_of_rows(both, monkeypatch, length, name):
    monkeypatch.setattr(reductions, "LARGE", 1 << 13)
    x = RNG.random((-(-9000 // length), length)) > (0.99 if name == "Any" else 0.01)
    x[0], x[1], x[2, :-1], x[2, -1] = True, False, name == "All", name == "Any"
    for keep in (False, True):
        the_same(both(lambda keep=keep: getattr(RAW, name)(input=x, axis=[1], keep_dims=keep)))
    the_same(both(lambda: getattr(RAW, name)(input=x[:, ::2], axis=[-1])))
    the_same(both(lambda: getattr(RAW, name)(input=x.reshape(1, *x.shape, 1), axis=[3, 2])))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("peephole", [False, True])
@pytest.mark.parametrize("version", ["", "V2"])
def test_lstm(dtype, peephole, version):
    batch, size, units = 33, 20, 64
    h, w, b = floats(batch, units).astype(dtype), floats(size + units, 4 * units).astype(dtype) / 8, floats(4 * units).astype(dtype)
    x, p = floats(5, batch, size).astype(dtype), floats(3, units).astype(dtype)
    how = {"wci": p[0], "wcf": p[1], "wco": p[2], "cs_prev": 2 * h, "h_prev": h, "w": w, "b": b, "use_peephole": peephole, "cell_clip": 0.8}
    layer = getattr(RAW, f"BlockLSTM{version}")
    the_same(natively_and_not(lambda: layer(seq_len_max=tf.constant(4, tf.int64), x=x, **how)), exact=False)
    the_same(natively_and_not(lambda: RAW.LSTMBlockCell(x=x[0], **how, forget_bias=0.5)), exact=False)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_gru(dtype):
    batch, size, units = 65, 20, 128
    x, h, b = floats(batch, size).astype(dtype), floats(batch, units).astype(dtype), floats(2 * units).astype(dtype)
    w = floats(size + units, 2 * units).astype(dtype) / 8
    cell = {"x": x, "h_prev": h, "w_ru": w, "w_c": w[:, :units], "b_ru": b, "b_c": b[:units]}
    the_same(natively_and_not(lambda: RAW.GRUBlockCell(**cell)), exact=False)


@pytest.mark.parametrize("m, k, n", [(64, 64, 65), (100, 77, 130), (17, 400, 90), (200, 64, 33), (401, 17, 100)])
def test_products_of_bfloat16(m, k, n):
    a, b = (tf.cast(floats(*shape), tf.bfloat16) for shape in ((m, k), (k, n)))
    exact = np.asarray(a).astype(np.float64) @ np.asarray(b).astype(np.float64)
    turned = {"transpose_a": True, "transpose_b": True}
    for product in (lambda: tf.matmul(a, b), lambda: tf.matmul(tf.transpose(a), tf.transpose(b), **turned)):
        for (found,) in natively_and_not(product):
            assert found.dtype == tf.bfloat16.as_numpy_dtype
            np.testing.assert_allclose(found.astype(np.float64), exact, rtol=2**-8, atol=1e-4)


def test_products_of_odd_bfloat16():
    a = np.zeros((64, 65), tf.bfloat16.as_numpy_dtype)
    a[3, 64], a[5, 6], a[7] = np.nan, np.inf, 3e38
    for (found,) in natively_and_not(lambda: tf.matmul(a, np.ones((65, 70), a.dtype))):
        assert np.isnan(found[3].astype(np.float32)).all() and (found[[5, 7]].astype(np.float32) == np.inf).all()
        assert (found[[0, 1, 2, 4, 6]].astype(np.float32) == 0).all()


def natively_and_not(function):
    before, found = tf.config.optimizer.get_jit(), []
    try:
        for mode in (True, False):
            tf.config.optimizer.set_jit(mode)
            found.append([np.asarray(x) for x in tf.nest.flatten(function())])
    finally:
        tf.config.optimizer.set_jit(bool(before))
    return found


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_products_of_segments(both, dtype):
    x = np.round(1 + floats(9000) / 10, 1).astype(dtype)
    ids = np.sort(RNG.integers(0, 300, 9000)).astype("int32")
    ids[ids == 7], ids[-5:] = 8, 305
    the_same(both(lambda: tf.math.segment_prod(x, ids)))
    the_same(both(lambda: tf.math.segment_mean(x, ids)))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_bucketize(both, dtype):
    x = (3 * floats(3, 3001)).astype(dtype)
    if dtype.startswith("float"):
        x[0, :3] = np.nan, np.inf, -np.inf
    for edges in ([0.5], [-1.0, 0.0, 0.0, 1.0], np.linspace(-5, 5, 37).tolist()):
        the_same(both(lambda edges=edges: RAW.Bucketize(input=x, boundaries=edges)))
