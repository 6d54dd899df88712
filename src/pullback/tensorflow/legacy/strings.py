"""String functions of TensorFlow 1 whose names or arguments TensorFlow 2 changed."""

from __future__ import annotations

from typing import Any

from ...base.dtypes import float32, string
from ...base.export import export
from ...base.renamed_arguments import resolve_renamed
from ...ir.apply import convert_to_tensor
from ...ir.attributes import fit
from ...ir.tensor import DTypeLike, IntLike, Tensor, TensorLike, TextLike
from ...ops.sparse.tensor import SparseTensor
from ..ragged import strings as string_ragged
from ..ragged.classes import RaggedTensor
from ..strings import bytes as string_bytes, hash as string_hash, join as string_join, numbers as string_numbers, substrings as string_parts
from ..strings.split import SPLIT, SPLIT_V2


@export(v1="strings.length")
def length(input: TextLike, name: str | None = None, unit: str = "BYTE") -> Tensor:
    """`tf.strings.length` of TensorFlow 2, with the name before the unit.

    >>> tf.compat.v1.strings.length(["käse", ""], unit="UTF8_CHAR").numpy()
    array([4, 0], dtype=int32)
    """
    return string_parts.length(input, unit, name)


@export(v1=("substr", "strings.substr"))
def substr(input: TextLike, pos: IntLike, len: IntLike, name: str | None = None, unit: str = "BYTE") -> Tensor:
    """`tf.strings.substr` of TensorFlow 2, with the name before the unit.

    >>> tf.compat.v1.substr(["pullback", "gradient"], 0, 4).numpy()
    array([b'pull', b'grad'], dtype=object)
    """
    return string_parts.substr(input, pos, len, unit, name)


@export(v1=("reduce_join", "strings.reduce_join"))
def reduce_join(
    inputs: TextLike,
    axis: IntLike | None = None,
    keep_dims: bool | None = None,
    separator: str = "",
    name: str | None = None,
    reduction_indices: IntLike | None = None,
    keepdims: bool | None = None,
) -> Tensor:
    """`tf.strings.reduce_join` of TensorFlow 2, with the older names of its arguments too.

    >>> tf.compat.v1.reduce_join([["a", "b"], ["c", "d"]], reduction_indices=1, separator="-").numpy()
    array([b'a-b', b'c-d'], dtype=object)
    """
    axis, kept = (
        resolve_renamed("axis", axis, "reduction_indices", reduction_indices),
        resolve_renamed("keepdims", keepdims, "keep_dims", keep_dims),
    )
    fit("ReduceJoin", {}, {} if kept is None else {"keep_dims": kept})
    return string_join.reduce_join(inputs, axis, bool(kept), separator, name)


def _choose_one(first: Any, second: Any, names: str) -> Any:
    if (first is None) == (second is None):
        raise ValueError(f"Exactly one of {names} must be given")
    return first if first is not None else second


@export(v1=("string_to_number", "strings.to_number"))
def to_number(
    string_tensor: TensorLike | None = None, out_type: DTypeLike = float32, name: str | None = None, input: TensorLike | None = None
) -> Tensor:
    """`tf.strings.to_number` of TensorFlow 2, with `string_tensor` for `input`.

    >>> tf.compat.v1.string_to_number(string_tensor=["1.5", "-2"]).numpy()
    array([ 1.5, -2. ], dtype=float32)
    """
    return string_numbers.to_number(_choose_one(string_tensor, input, "string_tensor and input"), out_type, name)


@export(v1=("string_to_hash_bucket", "strings.to_hash_bucket"))
def to_hash_bucket(string_tensor: Any = None, num_buckets: Any = None, name: str | None = None, input: TensorLike | None = None) -> Tensor:
    """`tf.strings.to_hash_bucket` of TensorFlow 2, with `string_tensor` for `input`.

    >>> tf.compat.v1.string_to_hash_bucket(string_tensor=["a", "b", "a"], num_buckets=10).numpy()
    array([8, 0, 8])
    """
    return string_hash.to_hash_bucket(_choose_one(string_tensor, input, "string_tensor and input"), num_buckets, name)


@export(v1=("decode_raw", "io.decode_raw"))
def decode_raw(
    input_bytes: TensorLike | None = None,
    out_type: DTypeLike | None = None,
    little_endian: bool = True,
    name: str | None = None,
    bytes: TensorLike | None = None,
) -> Tensor:
    """`tf.io.decode_raw` of TensorFlow 2, with `bytes` for `input_bytes` and without a fixed length.

    >>> tf.compat.v1.decode_raw(tf.constant("AB"), tf.uint8).numpy()
    array([65, 66], dtype=uint8)
    """
    if out_type is None:
        raise ValueError("decode_raw() missing 1 positional argument: 'out_type'")
    return string_bytes.decode_raw(_choose_one(input_bytes, bytes, "input_bytes and bytes"), out_type, little_endian, None, name)


@export(v1="string_split")
def string_split(
    source: TensorLike,
    sep: TensorLike | None = None,
    skip_empty: bool = True,
    delimiter: TensorLike | None = None,
    result_type: str = "SparseTensor",
    name: str | None = None,
) -> SparseTensor | RaggedTensor:
    """A vector of strings split at the bytes of `sep`, each of which is a separator: as a sparse matrix of strings, a row for each.

    sep: a blank when None; "" splits into bytes.  delimiter: an older name of it.  skip_empty: whether empty parts are left out.
    Raises ValueError for both names at once.

    >>> with tf1.Session() as session:
    ...     print(session.run(tf1.string_split(["a b", "c"]).values).tolist())
    [b'a', b'b', b'c']
    """
    by = resolve_renamed("sep", sep, "delimiter", delimiter)
    parts = SPLIT(convert_to_tensor(source, string, name="source"), " " if by is None else by, skip_empty=skip_empty, name=name)
    return _make_result(result_type, parts)


@export(v1="strings.split")
def split(
    input: TensorLike | None = None,
    sep: TensorLike | None = None,
    maxsplit: int = -1,
    result_type: str = "SparseTensor",
    source: TensorLike | None = None,
    name: str | None = None,
) -> SparseTensor | RaggedTensor:
    """`tf.strings.split` of TensorFlow 2, as a sparse matrix of strings unless `result_type` is "RaggedTensor".

    >>> with tf1.Session() as session:
    ...     print(session.run(tf1.strings.split(["a b", "c"])).dense_shape.tolist())
    [2, 2]
    """
    given = string_ragged.strings_of(_choose_one(input, source, "input and source"))
    if result_type not in ("SparseTensor", "RaggedTensor"):
        raise ValueError(f"result_type must be 'SparseTensor' or 'RaggedTensor'. Received: {result_type}")
    if given.dims == ():
        given = given[None]
    if isinstance(given, RaggedTensor) or (given.dims is not None and len(given.dims) > 1):
        rows: Any = string_ragged.split(given, sep, maxsplit, name)
        return rows.to_sparse() if result_type == "SparseTensor" else rows
    return _make_result(result_type, SPLIT_V2(given, "" if sep is None else sep, maxsplit=maxsplit, name=name))


def _make_result(result_type: str, parts: Any) -> Any:
    if result_type == "SparseTensor":
        return SparseTensor(*parts)
    if result_type == "RaggedTensor":
        return string_ragged.rows_of(parts)
    raise ValueError(f"result_type must be 'SparseTensor' or 'RaggedTensor'. Received: {result_type}")
