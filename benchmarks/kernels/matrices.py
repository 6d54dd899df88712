"""What is measured, continued: sparse tensors, matrices of compressed rows, and segments of rows picked by indices."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from .table import SIDE, N, Rows, integers, numbers, tensors


def _places(count: int, seed: int = 0) -> Any:
    found = np.unique(integers(N, count, seed=seed, dtype="int64"))
    return np.stack([found // SIDE, found % SIDE], 1)


def sparse_tensors(tf: Any) -> Rows:
    """About 180,000 entries of a million."""
    at, other = _places(200_000), _places(200_000, seed=1)
    t = tensors(tf, at=at, v=numbers(len(at)), other=other, w=numbers(len(other), seed=2), dense=numbers(SIDE, SIDE))
    raw, shape = tf.raw_ops, tf.constant([SIDE, SIDE], tf.int64)
    yield "SparseReshape", lambda: raw.SparseReshape(input_indices=t.at, input_shape=shape, new_shape=tf.constant([100, -1], tf.int64))
    start, size = tf.constant([100, 100], tf.int64), tf.constant([700, 700], tf.int64)
    yield "SparseSlice", lambda: raw.SparseSlice(indices=t.at, values=t.v, shape=shape, start=start, size=size)
    part = raw.SparseSlice(indices=t.at, values=t.v, shape=shape, start=start, size=size)
    slope: dict[str, Any] = {"backprop_val_grad": part[1], "input_indices": t.at, "input_start": start, "output_indices": part[0]}
    yield "SparseSliceGrad", lambda: raw.SparseSliceGrad(**slope)
    yield "SparseTensorDenseAdd", lambda: raw.SparseTensorDenseAdd(a_indices=t.at, a_values=t.v, a_shape=shape, b=t.dense)
    for name in ("Add", "Mul", "Div"):
        call = getattr(raw, f"SparseDenseCwise{name}")
        yield f"SparseDenseCwise{name}", partial(call, sp_indices=t.at, sp_values=t.v, sp_shape=shape, dense=t.dense)
    yield "SparseSoftmax", lambda: raw.SparseSoftmax(sp_indices=t.at, sp_values=t.v, sp_shape=shape)
    whole: dict[str, Any] = {"indices": t.at, "values": t.v, "shape": shape}
    yield "SparseSplit", lambda: raw.SparseSplit(split_dim=tf.constant(1, tf.int64), num_split=4, **whole)
    both: dict[str, Any] = {"a_indices": t.at, "a_values": t.v, "a_shape": shape, "b_indices": t.other, "b_values": t.w, "b_shape": shape}
    yield "SparseSparseMaximum", lambda: raw.SparseSparseMaximum(**both)
    yield "SparseSparseMinimum", lambda: raw.SparseSparseMinimum(**both)
    total = raw.SparseAdd(thresh=0.0, **both)
    parts: dict[str, Any] = {"a_indices": t.at, "b_indices": t.other, "sum_indices": total[0], "backprop_val_grad": total[1]}
    yield "SparseAddGrad", lambda: raw.SparseAddGrad(**parts)
    for name in ("SparseReduceSum", "SparseReduceMax", "SparseReduceSumSparse", "SparseReduceMaxSparse"):
        yield name, partial(getattr(raw, name), input_indices=t.at, input_values=t.v, input_shape=shape, reduction_axes=[1])
    inverse = tf.constant(np.random.default_rng(0).permutation(len(at)))
    yield "SparseFillEmptyRowsGrad", lambda: raw.SparseFillEmptyRowsGrad(reverse_index_map=inverse, grad_values=t.v)


def counts(tf: Any) -> Rows:
    at = _places(200_000)
    t = tensors(tf, at=at, v=integers(SIDE, len(at)), dense=integers(SIDE, SIDE, 100), none=numbers(0))
    shape, splits = tf.constant([SIDE, SIDE], tf.int64), tf.constant(np.searchsorted(at[:, 0], np.arange(SIDE + 1)))
    raw = tf.raw_ops
    yield "SparseBincount", lambda: raw.SparseBincount(indices=t.at, values=t.v, dense_shape=shape, size=SIDE, weights=t.none)
    yield "RaggedBincount", lambda: raw.RaggedBincount(splits=splits, values=t.v, size=SIDE, weights=t.none)
    what: dict[str, Any] = {"weights": t.none, "binary_output": False}
    yield "DenseCountSparseOutput", lambda: raw.DenseCountSparseOutput(values=t.dense, **what)
    yield "SparseCountSparseOutput", lambda: raw.SparseCountSparseOutput(indices=t.at, values=t.v, dense_shape=shape, **what)
    yield "RaggedCountSparseOutput", lambda: raw.RaggedCountSparseOutput(splits=splits, values=t.v, **what)


def compressed_rows(tf: Any) -> Rows:
    """About 50,000 entries of a million."""
    at = _places(50_000)
    t = tensors(tf, at=at, v=numbers(len(at)), b=numbers(SIDE, 64), dense=numbers(SIDE, SIDE))
    raw, shape, f = tf.raw_ops, tf.constant([SIDE, SIDE], tf.int64), tf.float32
    matrix = raw.SparseTensorToCSRSparseMatrix(indices=t.at, values=t.v, dense_shape=shape)
    yield "SparseTensorToCSRSparseMatrix", lambda: raw.SparseTensorToCSRSparseMatrix(indices=t.at, values=t.v, dense_shape=shape)
    yield "CSRSparseMatrixToSparseTensor", lambda: raw.CSRSparseMatrixToSparseTensor(sparse_matrix=matrix, type=f)
    yield "DenseToCSRSparseMatrix", lambda: raw.DenseToCSRSparseMatrix(dense_input=t.dense, indices=t.at)
    yield "CSRSparseMatrixToDense", lambda: raw.CSRSparseMatrixToDense(sparse_input=matrix, type=f)
    yield "CSRSparseMatrixComponents", lambda: raw.CSRSparseMatrixComponents(csr_sparse_matrix=matrix, index=0, type=f)
    yield "SparseMatrixNNZ", lambda: raw.SparseMatrixNNZ(sparse_matrix=matrix)
    yield "SparseMatrixTranspose", lambda: raw.SparseMatrixTranspose(input=matrix, type=f)
    yield "SparseMatrixMatMul", lambda: raw.SparseMatrixMatMul(a=matrix, b=t.b)
    yield "SparseMatrixSparseMatMul", lambda: raw.SparseMatrixSparseMatMul(a=matrix, b=matrix, type=f)


def picked_segments(tf: Any) -> Rows:
    """Fifty thousand rows of ten thousand, in five thousand segments."""
    t = tensors(tf, x=numbers(10_000, 20), g=numbers(5000, 20), ids=integers(10_000, 50_000), of=np.sort(integers(5000, 50_000)))
    raw = tf.raw_ops
    for kind in ("Sum", "Mean", "SqrtN"):
        name = f"SparseSegment{kind}"
        yield name, partial(getattr(raw, name), data=t.x, indices=t.ids, segment_ids=t.of)
        counted = getattr(raw, f"{name}WithNumSegments")
        yield f"{name}WithNumSegments", partial(counted, data=t.x, indices=t.ids, segment_ids=t.of, num_segments=5000)
        yield f"{name}Grad", partial(getattr(raw, f"{name}Grad"), grad=t.g, indices=t.ids, segment_ids=t.of, output_dim0=10_000)
        slope = getattr(raw, f"{name}GradV2")
        yield f"{name}GradV2", partial(slope, grad=t.g, indices=t.ids, segment_ids=t.of, dense_output_dim0=10_000)


def sets(tf: Any) -> Rows:
    t = tensors(tf, a=integers(1000, 10_000, 20), b=integers(1000, 10_000, 20, seed=1))
    raw = tf.raw_ops
    one, two = tf.sparse.from_dense(tf.sort(t.a) + 1), tf.sparse.from_dense(tf.sort(t.b) + 1)
    second: dict[str, Any] = {"set2_indices": two.indices, "set2_values": two.values, "set2_shape": two.dense_shape}
    first: dict[str, Any] = {"set1_indices": one.indices, "set1_values": one.values, "set1_shape": one.dense_shape}
    what = {"set_operation": "intersection", "validate_indices": False}
    yield "DenseToDenseSetOperation", lambda: raw.DenseToDenseSetOperation(set1=t.a, set2=t.b, **what)
    yield "DenseToSparseSetOperation", lambda: raw.DenseToSparseSetOperation(set1=t.a, **second, **what)
    yield "SparseToSparseSetOperation", lambda: raw.SparseToSparseSetOperation(**first, **second, **what)
    sizes: dict[str, Any] = {"set_indices": one.indices, "set_values": one.values, "set_shape": one.dense_shape}
    yield "SetSize", lambda: raw.SetSize(validate_indices=False, **sizes)


def ragged_tensors(tf: Any) -> Rows:
    """A hundred thousand rows of ten values on average."""
    lengths = integers(21, 100_000)
    splits = np.concatenate([[0], np.cumsum(lengths)]).astype("int64")
    t = tensors(tf, splits=splits, v=numbers(splits[-1]), starts=np.zeros(100_000, "int32"), lengths=lengths)
    t.rows, t.picked = tf.constant(np.repeat(np.arange(100_000), lengths)), tf.constant(integers(100_000, 100_000))
    raw = tf.raw_ops
    yield "RaggedRange", lambda: raw.RaggedRange(starts=t.starts, limits=t.lengths, deltas=tf.ones_like(t.starts))
    nested: dict[str, Any] = {"params_nested_splits": [t.splits], "params_dense_values": t.v}
    yield "RaggedGather", lambda: raw.RaggedGather(indices=t.picked, OUTPUT_RAGGED_RANK=1, **nested)
    dense: dict[str, Any] = {"shape": [-1, -1], "values": t.v, "default_value": 0.0, "row_partition_types": ["ROW_SPLITS"]}
    yield "RaggedTensorToTensor", lambda: raw.RaggedTensorToTensor(row_partition_tensors=[t.splits], **dense)
    yield "RaggedTensorToSparse", lambda: raw.RaggedTensorToSparse(rt_nested_splits=[t.splits], rt_dense_values=t.v)
    gaps: dict[str, Any] = {"value_rowids": t.rows, "values": t.v, "nrows": tf.constant(100_000, tf.int64), "default_value": 0.0}
    yield "RaggedFillEmptyRows", lambda: raw.RaggedFillEmptyRows(**gaps)
    inverse = tf.constant(np.random.default_rng(0).permutation(int(splits[-1])))
    yield "RaggedFillEmptyRowsGrad", lambda: raw.RaggedFillEmptyRowsGrad(reverse_index_map=inverse, grad_values=t.v)
    parts: dict[str, Any] = {"rt_nested_splits": [t.splits], "rt_dense_values": t.v, "batched_input": False}
    encoded = raw.RaggedTensorToVariant(**parts)
    yield "RaggedTensorToVariant", lambda: raw.RaggedTensorToVariant(**parts)
    back: dict[str, Any] = {"input_ragged_rank": 1, "output_ragged_rank": 1, "Tvalues": tf.float32}
    yield "RaggedTensorFromVariant", lambda: raw.RaggedTensorFromVariant(encoded_ragged=encoded, **back)
    one, two = (tf.RaggedTensor.from_row_splits(v, t.splits, validate=False) for v in (t.v, t.v * 2.0))
    yield "ragged sum", lambda: one + two
    yield "ragged reduce_sum, rows", lambda: tf.reduce_sum(one, 1)
    yield "ragged reduce_sum, columns", lambda: tf.reduce_sum(one, 0)
    yield "ragged concat, rows", lambda: tf.concat([one, two], 1)
    yield "ragged slices", lambda: one[:, 1:3]
    yield "ragged boolean_mask", lambda: tf.ragged.boolean_mask(one, one > 0.0)


def lists(tf: Any) -> Rows:
    """Lists of a thousand rows of a thousand numbers; an element is added, taken or replaced."""
    t = tensors(tf, x=numbers(SIDE, SIDE), row=numbers(SIDE), ids=np.arange(SIDE, dtype="int32"), lengths=np.full(100, 10, "int64"))
    raw, f, shape = tf.raw_ops, tf.float32, [SIDE]
    full = raw.TensorListFromTensor(tensor=t.x, element_shape=shape)
    parts = raw.TensorListSplit(tensor=t.x, element_shape=[-1, SIDE], lengths=t.lengths)
    yield "TensorListFromTensor", lambda: raw.TensorListFromTensor(tensor=t.x, element_shape=shape)
    yield "TensorListStack", lambda: raw.TensorListStack(input_handle=full, element_shape=shape, element_dtype=f)
    yield "TensorListSplit", lambda: raw.TensorListSplit(tensor=t.x, element_shape=[-1, SIDE], lengths=t.lengths)
    yield "TensorListConcat", lambda: raw.TensorListConcat(input_handle=parts, element_dtype=f, element_shape=[None, SIDE])
    joined: dict[str, Any] = {"element_shape": [-1, SIDE], "leading_dims": tf.zeros([0], tf.int64), "element_dtype": f}
    yield "TensorListConcatV2", lambda: raw.TensorListConcatV2(input_handle=parts, **joined)
    yield "TensorListGather", lambda: raw.TensorListGather(input_handle=full, indices=t.ids, element_shape=shape, element_dtype=f)
    yield "TensorListScatter", lambda: raw.TensorListScatter(tensor=t.x, indices=t.ids, element_shape=shape)
    yield "TensorListScatterV2", lambda: raw.TensorListScatterV2(tensor=t.x, indices=t.ids, element_shape=shape, num_elements=SIDE)
    empty = raw.TensorListReserve(element_shape=shape, num_elements=SIDE, element_dtype=f)
    into: dict[str, Any] = {"tensor": t.x, "indices": t.ids}
    yield "TensorListScatterIntoExistingList", lambda: raw.TensorListScatterIntoExistingList(input_handle=empty, **into)
    yield "EmptyTensorList", lambda: raw.EmptyTensorList(element_shape=shape, max_num_elements=-1, element_dtype=f)
    yield "TensorListReserve", lambda: raw.TensorListReserve(element_shape=shape, num_elements=SIDE, element_dtype=f)
    yield "TensorListPushBack", lambda: raw.TensorListPushBack(input_handle=full, tensor=t.row)
    yield "TensorListPopBack", lambda: raw.TensorListPopBack(input_handle=full, element_shape=shape, element_dtype=f)
    yield "TensorListGetItem", lambda: raw.TensorListGetItem(input_handle=full, index=7, element_shape=shape, element_dtype=f)
    yield "TensorListSetItem", lambda: raw.TensorListSetItem(input_handle=full, index=7, item=t.row)
    yield "TensorListResize", lambda: raw.TensorListResize(input_handle=full, size=2 * SIDE)
    yield "TensorListLength", lambda: raw.TensorListLength(input_handle=full)
    yield "TensorListElementShape", lambda: raw.TensorListElementShape(input_handle=full, shape_type=tf.int32)
    many = raw.TensorListFromTensor(tensor=t.x, element_shape=shape)
    yield "TensorListConcatLists", lambda: raw.TensorListConcatLists(input_a=full, input_b=many, element_dtype=f)
    boxed = raw.CompositeTensorVariantFromComponents(components=[t.x, t.row], metadata="")
    yield "CompositeTensorVariantFromComponents", lambda: raw.CompositeTensorVariantFromComponents(components=[t.x, t.row], metadata="")
    types: dict[str, Any] = {"metadata": "", "Tcomponents": [f, f]}
    yield "CompositeTensorVariantToComponents", lambda: raw.CompositeTensorVariantToComponents(encoded=boxed, **types)
    option = raw.OptionalFromValue(components=[t.x, t.row])
    yield "OptionalFromValue", lambda: raw.OptionalFromValue(components=[t.x, t.row])
    yield "OptionalGetValue", lambda: raw.OptionalGetValue(optional=option, output_types=[f, f], output_shapes=[[SIDE, SIDE], shape])
    yield "OptionalHasValue", lambda: raw.OptionalHasValue(optional=option)
    yield "OptionalNone", raw.OptionalNone
