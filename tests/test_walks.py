"""Kernels with plain loops over entries: native code and NumPy give the same bits, and refuse the same."""

import functools

import numpy as np
import pytest

import pullback as tf
from pullback.kernels.backend import ENGINE
from pullback.kernels.native_loops import LEAST_ENTRIES
from pullback.ops.tensor_list.value import ListValue

RAW = tf.raw_ops
SIDE = 300
DTYPES = ("float32", "float64", "int8", "int32", "int64", "uint8", "complex64", "complex128", "float16", "bfloat16")


def _places(count, seed=0, rank=2):
    found = np.unique(np.random.default_rng(seed).integers(0, SIDE**2, count))
    return np.stack([found] if rank == 1 else [found // SIDE, found % SIDE], 1)


AT, OTHER = _places(30_000), _places(30_000, seed=1)
SHAPE = np.array([SIDE, SIDE])
LENGTHS = np.random.default_rng(2).integers(0, 40, 1000)
LENGTHS[[0, 500, 999]] = 0
SPLITS = np.concatenate([[0], np.cumsum(LENGTHS)])
ROWS = np.repeat(np.arange(1000), LENGTHS)


def _values(count, dtype, seed=3):
    x = np.random.default_rng(seed).standard_normal(count) * 20
    if dtype.startswith("complex"):
        return (x + 1j * x[::-1]).astype(dtype)
    x[::17] = 0 if "int" in dtype else np.nan
    x = np.abs(x) if dtype == "uint8" else x
    return x.astype(tf.as_dtype(dtype).as_numpy_dtype)


def _slope(dtype, at=AT):
    part = at[((at >= 40) & (at < [240, 140])).all(axis=1)] - 40
    return {"backprop_val_grad": _values(len(part), dtype), "input_indices": at, "input_start": [40, 40], "output_indices": part}


def _sum_slope(dtype, at=AT, other=OTHER, drop=0):
    whole = np.unique(np.concatenate([at, other]), axis=0)[drop:]
    return {"a_indices": at, "b_indices": other, "sum_indices": whole, "backprop_val_grad": _values(len(whole), dtype)}


def _ints(count, high, seed=4):
    return np.random.default_rng(seed).integers(0, high, count)


def _cases():
    """Name, operation and its arguments."""
    shuffled = AT[np.random.default_rng(5).permutation(len(AT))]
    for dtype in DTYPES:
        n, m = len(AT), len(ROWS)
        sparse = {"a_indices": AT, "a_values": _values(n, dtype), "a_shape": SHAPE}
        dense = _values(SIDE * SIDE, dtype, 6).reshape(SIDE, SIDE)
        yield f"slice {dtype}", ("SparseSliceGrad", _slope(dtype))
        yield f"add {dtype}", ("SparseTensorDenseAdd", {**sparse, "b": dense})
        yield f"sum {dtype}", ("SparseAddGrad", _sum_slope(dtype))
        spread = {"sparse_indices": AT, "output_shape": SHAPE, "sparse_values": _values(n, dtype), "default_value": _values(1, dtype)[0]}
        yield f"to dense {dtype}", ("SparseToDense", spread)
        back = {"reverse_index_map": np.random.default_rng(7).permutation(n + 50)[:n], "grad_values": _values(n + 50, dtype)}
        yield f"fill back {dtype}", ("SparseFillEmptyRowsGrad", back)
        gaps = {"value_rowids": ROWS, "values": _values(m, dtype), "nrows": np.int64(1000), "default_value": _values(1, dtype)[0]}
        yield f"fill {dtype}", ("RaggedFillEmptyRows", gaps)
        nested = {"params_nested_splits": [SPLITS], "params_dense_values": _values(m, dtype), "OUTPUT_RAGGED_RANK": 1}
        yield f"gather {dtype}", ("RaggedGather", {"indices": _ints(700, 1000).astype("int32"), **nested})
        yield f"to sparse {dtype}", ("RaggedTensorToSparse", {"rt_nested_splits": [SPLITS], "rt_dense_values": _values(m, dtype)})
    for dtype in ("float32", "float64", "int32", "int64"):
        for size in (SIDE, 7, 0):
            none = {"values": _ints(len(AT), SIDE).astype("int32"), "size": size, "weights": np.zeros(0, dtype)}
            yield f"count {dtype} {size}", ("SparseBincount", {"indices": AT, "dense_shape": SHAPE, **none})
            none["values"] = _ints(len(ROWS), SIDE).astype("int32")
            yield f"count rows {dtype} {size}", ("RaggedBincount", {"splits": SPLITS, **none})
    yield "slice, out of order", ("SparseSliceGrad", _slope("float32", shuffled))
    yield "sum, out of order", ("SparseAddGrad", _sum_slope("float32", at=shuffled))
    yield "sum, some left out", ("SparseAddGrad", _sum_slope("float32", drop=100))
    twice = {"a_indices": np.repeat(AT, 2, axis=0), "a_values": _values(2 * len(AT), "float32"), "a_shape": SHAPE}
    yield "add, twice and strided", ("SparseTensorDenseAdd", dict(**twice, b=np.ones((SIDE, SIDE), "float32").T))
    one = {"sparse_indices": shuffled[:, 0].copy(), "output_shape": SHAPE[:1]}
    one |= {"sparse_values": np.float32(3), "default_value": np.float32(0)}
    yield "to dense, one value, out of order", ("SparseToDense", {**one, "validate_indices": False})
    gaps = {"value_rowids": ROWS[::-1], "values": _values(len(ROWS), "float32"), "nrows": np.int64(1000), "default_value": 0.5}
    yield "fill, out of order", ("RaggedFillEmptyRows", gaps)


CASES = dict(_cases())


def _called(name):
    operation, arguments = CASES[name]
    return getattr(RAW, operation)(**arguments)


def _flat(found):
    return [x.numpy() for x in tf.nest.flatten(found)]


def _natively(call):
    """With native code from the first call on."""
    before = tf.config.optimizer.get_jit()
    tf.config.optimizer.set_jit(True)
    try:
        return call()
    finally:
        tf.config.optimizer.set_jit(bool(before))


@pytest.mark.parametrize("name", CASES)
def test_native_loops_give_numpys_bits(name, monkeypatch):
    found = _flat(_natively(lambda: _called(name)))
    monkeypatch.setattr(ENGINE, "find_loop", lambda *_: None)
    for mine, other in zip(found, _flat(_called(name)), strict=True):
        assert mine.dtype == other.dtype
        assert mine.shape == other.shape
        assert mine.tobytes() == other.tobytes()


def _matrix(dtype, batch=False):
    at = np.concatenate([np.zeros((len(AT), 1), int), AT], 1) if batch else AT
    sizes = [1, *SHAPE] if batch else SHAPE
    return RAW.SparseTensorToCSRSparseMatrix(indices=at, values=_values(len(AT), dtype), dense_shape=sizes)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("what", ["transpose", "product", "narrow product", "to dense", "of dense", "of dense, out of order"])
def test_native_csr_matrices_give_numpys_bits(dtype, what, monkeypatch):
    def call():
        matrix, t = _matrix(dtype), tf.as_dtype(dtype)
        dense = np.nan_to_num(_values(SIDE * SIDE, dtype, 6)).reshape(SIDE, SIDE)
        if what == "transpose":
            turned = RAW.SparseMatrixTranspose(input=matrix, type=t, conjugate=True)
            return RAW.CSRSparseMatrixToSparseTensor(sparse_matrix=turned, type=t)
        if what.endswith("product"):
            width = 5 if what.startswith("narrow") else 130
            return RAW.SparseMatrixMatMul(a=matrix, b=dense[:, :width])
        if what == "to dense":
            return RAW.CSRSparseMatrixToDense(sparse_input=matrix, type=t)
        at = AT if what == "of dense" else AT[::-1]
        made = RAW.DenseToCSRSparseMatrix(dense_input=dense, indices=at)
        return RAW.CSRSparseMatrixComponents(csr_sparse_matrix=made, index=0, type=t)

    found = _flat(_natively(call))
    monkeypatch.setattr(ENGINE, "find_loop", lambda *_: None)
    for mine, other in zip(found, _flat(call()), strict=True):
        assert mine.dtype == other.dtype
        np.testing.assert_array_equal(mine, other)


@pytest.mark.parametrize("name", [name for name in CASES if name.endswith("float32")])
def test_these_kernels_have_native_loops(name, monkeypatch):
    pytest.importorskip("llvmlite")
    found, codes = [], ENGINE.find_loop

    def noted(function, work, is_only):
        code = codes(function, work, is_only)
        return lambda *arguments, **constants: found.append(code(*arguments, **constants)) or found[-1]

    monkeypatch.setattr(ENGINE, "find_loop", noted)
    _natively(lambda: _called(name))
    assert found
    assert None not in found
    assert min(found) >= 0


REFUSED = {
    "add": lambda: RAW.SparseTensorDenseAdd(
        a_indices=AT, a_values=np.ones(len(AT), "f"), a_shape=np.array([SIDE - 1, SIDE]), b=np.ones((SIDE - 1, SIDE), "f")
    ),
    "to dense": lambda: RAW.SparseToDense(sparse_indices=AT[::-1], output_shape=SHAPE, sparse_values=1.0, default_value=0.0),
    "fill back": lambda: RAW.SparseFillEmptyRowsGrad(reverse_index_map=np.full(LEAST_ENTRIES, 9), grad_values=np.ones(9, "f")),
    "fill": lambda: RAW.RaggedFillEmptyRows(value_rowids=ROWS, values=np.ones(len(ROWS)), nrows=np.int64(9), default_value=np.float64(0)),
    "gather": lambda: RAW.RaggedGather(
        params_nested_splits=[SPLITS], params_dense_values=np.ones(len(ROWS)), indices=[-1], OUTPUT_RAGGED_RANK=1
    ),
    "count": lambda: RAW.SparseBincount(indices=AT, values=-AT[:, 0], dense_shape=SHAPE, size=np.int64(3), weights=np.zeros(0, "f")),
    "count rows": lambda: RAW.RaggedBincount(splits=SPLITS + 1, values=ROWS, size=np.int64(3), weights=np.zeros(0, "f")),
    "csr": lambda: RAW.SparseTensorToCSRSparseMatrix(indices=AT + 1, values=np.ones(len(AT)), dense_shape=SHAPE),
}


@pytest.mark.parametrize("name", REFUSED)
def test_native_loops_refuse_what_numpy_refuses(name, monkeypatch):
    texts = []
    for native in (True, False):
        with pytest.raises(tf.errors.InvalidArgumentError) as found:
            _natively(REFUSED[name]) if native else REFUSED[name]()
        texts.append(str(found.value))
        monkeypatch.setattr(ENGINE, "find_loop", lambda *_: None)
    assert texts[0] == texts[1]


def test_many_elements_put_into_a_list_leave_older_lists_as_they_were():
    old = ListValue([None, None, 3])
    new = old.put([1, 0, 1], ["a", "b", "c"])
    assert new.items() == ["b", "c", 3]
    assert old.items() == [None, None, 3]
    assert new.items() == ["b", "c", 3]


def test_a_list_made_of_a_tensor_is_stacked_without_a_copy_until_it_is_another():
    x = tf.reshape(tf.range(6.0), [3, 2])
    made = RAW.TensorListFromTensor(tensor=x, element_shape=[2])
    changed = RAW.TensorListSetItem(input_handle=made, index=1, item=[9.0, 9.0])
    stack = functools.partial(RAW.TensorListStack, element_shape=[2], element_dtype=tf.float32)
    assert np.shares_memory(stack(input_handle=made).value, x.value)
    assert stack(input_handle=changed).numpy().tolist() == [[0, 1], [9, 9], [4, 5]]
    assert stack(input_handle=made).numpy().tolist() == x.numpy().tolist()
    picked = RAW.TensorListGather(input_handle=made, indices=[2, 2, 0], element_shape=[2], element_dtype=tf.float32)
    assert picked.numpy().tolist() == [[4, 5], [4, 5], [0, 1]]


def test_a_tensor_split_into_a_list_is_joined_again():
    x = tf.reshape(tf.range(6.0), [3, 2])
    made = RAW.TensorListSplit(tensor=x, element_shape=[-1, 2], lengths=np.array([1, 0, 2]))
    joined = functools.partial(RAW.TensorListConcatV2, element_shape=[-1, 2], leading_dims=np.zeros(0, "int64"), element_dtype=tf.float32)
    whole, lengths = joined(input_handle=made)
    assert (whole.numpy().tolist(), lengths.numpy().tolist()) == (x.numpy().tolist(), [1, 0, 2])
    changed = RAW.TensorListSetItem(input_handle=made, index=0, item=[[7.0, 8.0]])
    assert joined(input_handle=changed)[0].numpy().tolist() == [[7, 8], [2, 3], [4, 5]]
