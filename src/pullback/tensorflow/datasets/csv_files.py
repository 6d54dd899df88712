"""`tf.data.experimental.CsvDataset`: the records of files of comma-separated values."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...base.dtypes import DType, as_dtype, string
from ...base.errors import InvalidArgumentError
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import Tensor
from ...ops.array.type_rules import invalid_argument
from ...ops.constant import TensorSpec
from ..strings.csv import COLUMNS, value_of
from .batching import as_array
from .methods import Dataset
from .records import open_file
from .sequence import scalar
from .source import UNKNOWN, Pass, Source
from .structure import Element
from .v1 import DatasetV1

_LINE = re.compile(rb"\r\n|\r|\n")
_QUOTED = re.compile(rb'"((?:[^"]|"")*)"')


def records_of(data: bytes, delimiter: bytes, quotes: bool) -> Iterator[list[bytes] | str]:
    """The fields of each record, or what is wrong with it."""
    if not (quotes and b'"' in data):
        lines = _LINE.split(data)
        for line in lines if lines[-1] else lines[:-1]:
            yield line.split(delimiter)
        return
    plain, at, end = re.compile(b"[^\r\n%b]*" % re.escape(delimiter)), 0, len(data)
    while at < end:
        fields, wrong, more = list[bytes](), "", True
        while more:
            quoted = _QUOTED.match(data, at) if data[at : at + 1] == b'"' else None
            match = quoted or plain.match(data, at)
            assert match is not None  # the second may be empty
            fields.append(quoted[1].replace(b'""', b'"') if quoted else match[0])
            if quoted is None and data[at : at + 1] == b'"':
                wrong, at = "Reached end of file without closing quoted field in record", end
                break
            if quoted is None and b'"' in match[0]:
                wrong = wrong or "Unquoted fields cannot have quotes inside"
            at = match.end()
            more = data[at : at + 1] == delimiter
            line = None if more else _LINE.match(data, at)
            if not more and line is None and at < end:
                wrong, at = "Reached end of file without closing quoted field in record", end
            at = at + 1 if more else at if line is None else line.end()
        yield wrong or fields


def _element(
    fields: list[bytes] | str, *, columns: Sequence[int] | None, excluded: frozenset[int], dtypes: Sequence[DType],
    defaults: Sequence[Any], missing: bytes,
) -> Element:  # fmt: skip
    if isinstance(fields, str):
        raise invalid_argument(fields)
    if excluded:
        fields = [text for i, text in enumerate(fields) if i not in excluded]
    if columns is not None:
        fields = [fields[i] for i in columns if i < len(fields)]
    values = []
    for i, (text, dtype, default) in enumerate(zip(fields, dtypes, defaults, strict=False)):
        if text and text != missing:
            values.append(scalar(value_of(text, dtype, f"{i} in record")).astype(dtype.numpy_dtype))
        elif default is None:
            raise invalid_argument(f"Field {i} is required but missing in record!")
        else:
            values.append(default)
    if len(fields) != len(dtypes):
        found = "more" if len(fields) > len(dtypes) else len(fields)
        raise invalid_argument(f"Expect {len(dtypes)} fields but have {found} in record")
    return tuple(values)


def _defaults_of(record_defaults: Any) -> list[tuple[DType, Tensor | None]]:
    """The dtype of each column, and what a missing field means."""
    if not record_defaults:
        raise InvalidArgumentError(None, None, "Length for attr 'output_types' of 0 must be at least minimum 1")
    found: list[tuple[DType, Tensor | None]] = []
    for i, given in enumerate(record_defaults):
        if isinstance(given, DType) or (isinstance(given, type) and issubclass(given, np.generic)):
            dtype, default = as_dtype(given), None
        else:
            default = convert_to_tensor(given)
            dtype, size = default.dtype, default.shape.num_elements()
            if size is not None and size > 1:
                raise InvalidArgumentError(None, None, f"There should only be 1 default per field but field {i} has {size}")
            default = None if size == 0 else default
        if dtype not in COLUMNS:
            allowed = ", ".join(COLUMNS.values())
            text = f"Value for attr 'output_types' of {dtype.name} is not in the list of allowed values: {allowed}"
            raise InvalidArgumentError(None, None, text)
        found.append((dtype, default))
    return found


@export(v2="data.experimental.CsvDataset")
class CsvDataset(Dataset[Any]):
    """The records of files of comma-separated values, a tuple of scalars each.

    filenames: a string, several, or a dataset of such.  record_defaults: for each column a dtype (float32, float64, int32, int64,
    string), or what a missing field means.  header: whether each file begins with a line that is passed over.  na_value: what else stands
    for a missing field.  select_cols, exclude_cols: the numbers of the columns wanted, growing, or of the others.
    Raises InvalidArgumentError, at iteration, for a record of another number of fields, and for a field that spells no value of its dtype.

    >>> import os, pullback as tf
    >>> path = os.path.join(getfixture("tmp_path"), "a.csv")
    >>> tf.io.write_file(path, "n,word\\n1,a\\n,b\\n")
    >>> [(int(n), word.numpy()) for n, word in tf.data.experimental.CsvDataset(path, [[7], tf.string], header=True)]
    [(1, b'a'), (7, b'b')]
    """

    def __init__(
        self, filenames: Any, record_defaults: Sequence[Any], compression_type: Any = None, buffer_size: Any = None, header: bool = False,
        field_delim: str = ",", use_quote_delim: bool = True, na_value: str = "", select_cols: Sequence[int] | None = None,
        exclude_cols: Sequence[int] | None = None,
    ) -> None:  # fmt: skip
        columns, excluded = None if select_cols is None else [int(i) for i in select_cols], [int(i) for i in exclude_cols or ()]
        if columns is not None and excluded:
            raise InvalidArgumentError(None, None, "Either select_cols or exclude_cols should be given, not both.")
        if columns is not None and len(columns) != len(record_defaults):
            raise InvalidArgumentError(None, None, "select_cols should match output size")
        if columns is not None and any(b <= a for a, b in itertools.pairwise(columns)):
            raise InvalidArgumentError(None, None, "select_cols should be strictly increasing indices")
        delimiter, missing, family = field_delim.encode(), na_value.encode(), self._family()
        if len(delimiter) != 1:
            raise InvalidArgumentError(None, None, "field_delim should be only 1 char")
        told = _defaults_of(record_defaults)
        dtypes = [dtype for dtype, _ in told]
        element = partial(_element, columns=columns, excluded=frozenset(excluded), dtypes=dtypes, missing=missing)

        def source(names: Any, compression: Any, *given: Any) -> Source:
            values, kind = iter(given), as_array(compression)[()].decode()
            paths = np.ravel(as_array(names)).tolist()
            defaults = [None if default is None else as_array(next(values)).reshape(()) for _, default in told]

            def rows() -> Iterator[list[bytes] | str]:
                for path in paths:
                    with open_file(path, kind) as file:
                        found = records_of(file.read(), delimiter, use_quote_delim)
                        yield from itertools.islice(found, int(bool(header)), None)

            def elements(run: Pass) -> Iterator[Element]:
                if kind not in ("", "GZIP", "ZLIB"):
                    raise InvalidArgumentError(None, None, f"Unsupported compression_type: {kind}.")
                return map(partial(element, defaults=defaults), rows())  # what one record raises ends nothing

            return Source(elements, UNKNOWN)

        spec = tuple(TensorSpec([], dtype) for dtype in dtypes)
        given = [convert_to_tensor(compression_type or ""), *(default for _, default in told if default is not None)]

        def read_one(name: Any) -> Any:
            return family._build("CSVDatasetV2", spec, source, [name, *given])

        made: Any = filenames.flat_map(read_one) if isinstance(filenames, Dataset) else read_one(convert_to_tensor(filenames, string))
        self.__dict__.update(made.__dict__)


@export(v1="data.experimental.CsvDataset")
class CsvDatasetV1(DatasetV1[Any], CsvDataset):
    """`CsvDataset` of TensorFlow 1.

    >>> issubclass(tf1.data.experimental.CsvDataset, tf1.data.Dataset)
    True
    """
