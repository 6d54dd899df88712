"""Comma-separated values: the fields of a record, what they spell, and `tf.io.decode_csv`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from ...base.dtypes import DType, float32, float64, int32, int64, string
from ...base.errors import InvalidArgumentError
from ...base.export import export
from ...base.shapes import show
from ...ir.agreement import require_list
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.attributes import read_text, refused_value
from ...ir.context import executing_eagerly
from ...ir.op import define
from ...ir.tensor import Tensor, TensorLike, TensorType
from ...ops.array.type_rules import Array, invalid_argument
from .numbers import read_float, whole_reader

#: The dtypes of columns, and what messages call them.
COLUMNS = {float32: "float", float64: "double", int32: "int32", int64: "int64", string: "string"}

#: A quoted field after its first quote, as far as its quotes come in pairs.
_BODY = re.compile(rb'(?:[^"]|"")*')


@cache
def reader_of(dtype: DType) -> Callable[[bytes], Any]:
    """What reads a field of a dtype; an InvalidArgumentError for one that spells nothing of it."""
    if dtype is string:
        return bytes
    return read_float if dtype.is_floating else whole_reader(int(dtype.min), int(dtype.max))


def value_of(text: bytes, dtype: DType, place: str) -> Any:
    """What a field spells; an InvalidArgumentError that says where it is."""
    try:
        return reader_of(dtype)(text)
    except InvalidArgumentError:
        raise invalid_argument(f"Field {place} is not a valid {COLUMNS[dtype]}: {text.decode(errors='replace')}") from None


def fields_of(record: bytes, delimiter: bytes, quotes: bool) -> list[bytes]:
    """The fields of one record; ends of lines before a field are passed over."""
    if not (quotes and b'"' in record) and b"\n" not in record and b"\r" not in record:
        return record.split(delimiter) if record else []
    found, at, end = list[bytes](), 0, len(record)
    while at < end:
        if record[at] in b"\r\n":
            at += 1
        elif quotes and record[at] == 34:
            match = _BODY.match(record, at + 1)
            assert match is not None  # it may be empty
            at = match.end()
            if at == end:
                raise invalid_argument("Quoted field has to end with quote followed by delim or end")
            if at + 1 < end and record[at + 1 : at + 2] != delimiter:
                raise invalid_argument("Quote inside a string has to be escaped by another quote")
            found.append(match[0].replace(b'""', b'"'))
            at += 2
        else:
            text = record[at : end if (next_at := record.find(delimiter, at)) < 0 else next_at]
            if (quotes and b'"' in text) or b"\n" in text or b"\r" in text:
                raise invalid_argument("Unquoted fields cannot have quotes/CRLFs inside")
            found.append(text)
            at += len(text) + 1
    return [*found, b""] if record.endswith(delimiter) else found


def _choose_fields(record: bytes, number: int, count: int, delimiter: bytes, quotes: bool, columns: Sequence[int]) -> list[bytes]:
    fields = fields_of(record, delimiter, quotes)
    if columns:
        fields = [fields[i] for i in columns if i < len(fields)]
    if len(fields) != count:
        raise invalid_argument(f"Expect {count} fields but have {len(fields)} in record {number}")
    return fields


def _row(fields: Sequence[bytes], number: int, defaults: Sequence[Array], missing: bytes) -> Iterator[Any]:
    for i, (text, default) in enumerate(zip(fields, defaults, strict=True)):
        if text and text != missing:
            yield value_of(text, _dtype(default), f"{i} in record {number}")
        elif default.size:
            yield default.reshape(-1)[0]
        else:
            raise invalid_argument(f"Field {i} is required but missing in record {number}!")


def _dtype(default: Array) -> DType:
    return string if default.dtype == object else next(dtype for dtype in COLUMNS if dtype.numpy_dtype == default.dtype)


def _types(records: Any, record_defaults: Sequence[Any], **_: Any) -> tuple[TensorType, ...]:
    for default in record_defaults:
        if default.dims is not None and (len(default.dims) > 1 or (default.dims and (default.dims[0] or 0) > 1)):
            text = "Shape of a default must be a length-0 or length-1 vector, or a scalar."
            raise ShapeError(text, f"{text} Got {show(default.dims)}")
    return tuple(TensorType(records.dims, default.dtype) for default in record_defaults)


def _decode(
    records: Array, record_defaults: Sequence[Array], *, field_delim: str = ",", use_quote_delim: bool = True, na_value: str = "",
    select_cols: Sequence[int] = (),
) -> list[Array]:  # fmt: skip
    delimiter, missing = read_text(field_delim).encode(), read_text(na_value).encode()
    if len(delimiter) != 1:
        raise invalid_argument("field_delim should be only 1 char")
    count = len(record_defaults)
    for i, default in enumerate(record_defaults):
        if default.size > 1:
            raise invalid_argument(f"There should only be 1 default per field but field {i} has {default.size}")
    answers = [np.empty(records.size, default.dtype) for default in record_defaults]
    for number, record in enumerate(records.reshape(-1).tolist()):
        fields = _choose_fields(record, number, count, delimiter, use_quote_delim, select_cols)
        for answer, value in zip(answers, _row(fields, number, record_defaults, missing), strict=True):
            answer[number] = value
    return [answer.reshape(records.shape) for answer in answers]


def _batch_records(rows: Any, records: Any, record_defaults: Sequence[Any], **attrs: Any) -> Any:
    """Any axes of the records are a batch; the defaults are the same for all rows."""
    if any(rows.has(default) for default in record_defaults):
        return NotImplemented
    return rows.op(rows.stack(records), record_defaults, **attrs)


DECODE_CSV = define(
    "DecodeCSV", "records:string *record_defaults:any", _types, _decode, {}, outputs="*output", batch=_batch_records,
)  # fmt: skip


@export(v2="io.decode_csv")
def decode_csv(
    records: TensorLike, record_defaults: Sequence[Any], field_delim: str = ",", use_quote_delim: bool = True, na_value: str = "",
    select_cols: Sequence[int] | None = None, name: str | None = None,
) -> list[Tensor]:  # fmt: skip
    """Records of comma-separated values as a tensor for each column.

    records: strings of any shape, one record each.  record_defaults: for each column what a missing field means, a scalar or a vector of
    one, whose dtype (float32, float64, int32, int64, string) is the column's; a field may not be missing where it is empty.
    na_value: what else stands for a missing field.  select_cols: the columns wanted, growing.
    Raises InvalidArgumentError for a record of another number of fields, and for a field that spells no value of its dtype.

    >>> numbers, words = tf.io.decode_csv(["1,a", ",b"], [[7], [""]])
    >>> numbers.numpy().tolist(), words.numpy().tolist()
    ([1, 7], [b'a', b'b'])
    """
    columns = list(select_cols or ())
    if any(b <= a for a, b in itertools.pairwise(columns)):
        raise ValueError("select_cols is not strictly increasing.")
    if columns and columns[0] < 0:
        raise ValueError("select_cols contains negative values.")
    if columns and len(columns) != len(record_defaults):
        raise ValueError("Length of select_cols and record_defaults do not match.")
    if not len(record_defaults):
        if not executing_eagerly():
            require_list(DECODE_CSV, "record_defaults", record_defaults)
        eagerly = "Length for attr 'OUT_TYPE' of 0 must be at least minimum 1"
        raise refused_value("Attr 'OUT_TYPE' of 'DecodeCSV' Op passed list of length 0 less than minimum 1.", eagerly)
    options = {"field_delim": field_delim, "use_quote_delim": use_quote_delim, "na_value": na_value, "select_cols": tuple(columns)}
    defaults = [convert_to_tensor(default) for default in record_defaults]
    for default in defaults:
        if default.dtype not in COLUMNS:
            allowed = ", ".join(COLUMNS.values())
            text = f"Value for attr 'OUT_TYPE' of {default.dtype.name} is not in the list of allowed values: {allowed}"
            raise InvalidArgumentError(None, None, f"{text} [Op:DecodeCSV]")
    return list(DECODE_CSV(convert_to_tensor(records, string), defaults, **options, name=name))


@export(v1=("decode_csv", "io.decode_csv"))
def decode_csv_v1(
    records: TensorLike, record_defaults: Sequence[Any], field_delim: str = ",", use_quote_delim: bool = True, name: str | None = None,
    na_value: str = "", select_cols: Sequence[int] | None = None,
) -> list[Tensor]:  # fmt: skip
    """`decode_csv` with TensorFlow 1's order of arguments.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     [column.tolist() for column in session.run(tf1.decode_csv(["1;2.5"], [[0], [0.0]], ";"))]
    [[1], [2.5]]
    """
    return decode_csv(records, record_defaults, field_delim, use_quote_delim, na_value, select_cols, name)
