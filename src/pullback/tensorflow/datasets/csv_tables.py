"""`tf.data.experimental.make_csv_dataset`: batches of the columns of tables, whose names and dtypes the files tell."""

from __future__ import annotations

import csv
import io
import itertools
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from ...base.dtypes import DType, float32, float64, int32, int64, string
from ...base.export import export
from ...ir.tensor import IntLike
from ...ops.constant import constant
from ..files.gfile import glob
from .csv_files import CsvDataset, CsvDatasetV1
from .methods import AUTOTUNE, Dataset
from .records import open_file
from .v1 import DatasetV1


def _is_whole(text: str, dtype: DType) -> bool:
    return int(dtype.min) <= int(text) <= int(dtype.max)


def _is_real(text: str, dtype: DType) -> bool:
    return float(dtype.min) <= float(text) <= float(dtype.max)


#: The dtypes that a column may have, the narrowest first, and whether a text is one.
_DTYPES: list[tuple[DType, Callable[[str, DType], bool]]] = [
    (int32, _is_whole), (int64, _is_whole), (float32, _is_real), (float64, _is_real), (string, lambda text, dtype: True),
]  # fmt: skip


def _find_narrowest(text: str, least: int) -> int:
    """The place in `_DTYPES` of the first dtype from `least` on that a text is of."""
    for place in range(least, len(_DTYPES)):
        dtype, holds = _DTYPES[place]
        try:
            if holds(text, dtype):
                return place
        except ValueError:
            continue
    raise AssertionError("every text is a string")


def _file_names(pattern: Any) -> list[str]:
    patterns = list(pattern) if isinstance(pattern, (list, tuple)) else [pattern]
    if not patterns:
        raise ValueError("Argument `file_pattern` should not be empty.")
    found = [name for one in patterns for name in glob(one)]
    if not found:
        raise ValueError(f"No files match `file_pattern` {pattern}.")
    return sorted(found)


class _Tables:
    """Files of one kind, read for their names and dtypes."""

    def __init__(self, names: Sequence[str], compression: str, delimiter: str, quotes: bool, header: bool, encoding: str) -> None:
        self.names, self._compression, self._header, self._encoding = names, compression, header, encoding
        self._options: Any = {"delimiter": delimiter, "quoting": csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE}

    def _rows(self, name: str, most: int | None) -> list[list[str]]:
        """The first rows of a file."""
        with open_file(name, self._compression) as file, io.TextIOWrapper(file, encoding=self._encoding, newline="") as text:
            return list(itertools.islice(csv.reader(text, **self._options), most))

    def columns(self) -> list[str]:
        """The names in the first line of every file."""
        heads = []
        for name in self.names:
            head = next(iter(self._rows(name, 1)), None)
            if head is None:
                raise ValueError(f"Failed when reading the header line of {name}. Is it an empty file?")
            heads.append(head)
            if head != heads[0]:
                text = "All input CSV files should have the same column names in the header row."
                raise ValueError(f"{text} File {name} has different column names.")
        return heads[0]

    def dtypes(self, count: int, chosen: Sequence[int], missing: str, most: int | None) -> list[DType]:
        """The narrowest dtype of each chosen column that holds its fields in the first rows; of what has none, strings."""
        places: list[int | None] = [None] * len(chosen)
        left = most
        for name in self.names:
            first = 1 if self._header else 0
            rows = self._rows(name, None if left is None else left + first)[first:]
            left = None if left is None else left - len(rows)
            for number, row in enumerate(rows, 1 + first):
                if len(row) != count:
                    raise ValueError(f"Problem inferring types: CSV row {number} has {len(row)} number of fields. Expected: {count}.")
                for i, column in enumerate(chosen):
                    if row[column] not in ("", missing):
                        places[i] = _find_narrowest(row[column], places[i] or 0)
        return [string if place is None else _DTYPES[place][0] for place in places]


def _choose_columns(select: Sequence[Any], names: Sequence[str]) -> list[int]:
    """The numbers of columns that are chosen by number or name, in order."""
    found = []
    for one in select:
        if isinstance(one, int) and not 0 <= one < len(names):
            text = f"Column index {one} specified in `select_columns` should be > 0  and <= {len(names)}, which is the number of columns."
            raise ValueError(text)
        if not isinstance(one, int) and one not in names:
            text = f"Column {one} specified in `select_columns` must be of one of the columns: {dict.fromkeys(names).keys()}."
            raise ValueError(text)
        found.append(one if isinstance(one, int) else names.index(one))
    if len(set(found)) < len(found):
        raise ValueError(f"`select_columns` contains duplicate columns: {list(select)}.")
    return sorted(found)


def _check_names(names: Sequence[str]) -> None:
    twice = {name for name, times in Counter(names).items() if times > 1}
    if twice:
        raise ValueError(f"Either `column_names` argument or CSV header row contains duplicate column names: {twice}.")


def _make_dataset(
    family: type[CsvDataset], file_pattern: Any, batch_size: IntLike, column_names: Sequence[str] | None,
    column_defaults: Sequence[Any] | None, label_name: str | None, select_columns: Sequence[Any] | None, field_delim: str,
    use_quote_delim: bool, na_value: str, header: bool, num_epochs: int | None, shuffle: bool, shuffle_buffer_size: int,
    shuffle_seed: int | None, prefetch_buffer_size: int | None, num_parallel_reads: int | None, sloppy: bool,
    num_rows_for_inference: int | None, compression_type: Any, ignore_errors: bool, encoding: str,
) -> Any:  # fmt: skip
    tables = _Tables(_file_names(file_pattern), compression_type or "", field_delim, use_quote_delim, header, encoding)
    if column_names is None and not header:
        raise ValueError("Expected `column_names` or `header` arguments. Neither is provided.")
    names = tables.columns() if column_names is None else list(column_names)
    _check_names(names)
    count, chosen = len(names), list(range(len(names))) if select_columns is None else _choose_columns(select_columns, names)
    defaults: Any = column_defaults
    if defaults is None:
        dtypes = tables.dtypes(count, chosen, na_value, num_rows_for_inference)
        defaults = [constant([""] if dtype is string else [0], dtype) for dtype in dtypes]
    if select_columns is not None and len(defaults) != len(chosen):
        raise ValueError(
            f"If specified, `column_defaults` must have the same length as `select_columns`: {len(defaults)} vs. {len(chosen)}."
        )
    names = [names[i] for i in chosen]
    if label_name is not None and label_name not in names:
        raise ValueError(f"`label_name` provided must be one of the columns: {names}. Received: {label_name}.")

    def read_file(name: Any) -> Any:
        columns = None if select_columns is None else chosen
        made: Any = family(
            name, defaults, compression_type, None, header, field_delim, use_quote_delim, na_value, select_cols=columns
        )  # fmt: skip
        return made.ignore_errors() if ignore_errors else made

    def name_columns(*columns: Any) -> Any:
        features = OrderedDict(zip(names, columns, strict=False))
        return features if label_name is None else (features, features.pop(label_name))

    dataset: Any = family._family().from_tensor_slices(list(tables.names))
    if shuffle:
        dataset = dataset.shuffle(len(tables.names), shuffle_seed)
    dataset = dataset.interleave(read_file, num_parallel_reads or 1, deterministic=not sloppy)
    if shuffle:
        dataset = dataset.shuffle(shuffle_buffer_size, shuffle_seed)
    if num_epochs != 1:
        dataset = dataset.repeat(num_epochs)
    dataset = dataset.batch(batch_size, drop_remainder=num_epochs is None).map(_unpack_tuple(name_columns, len(names)))
    return dataset.prefetch(AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)


def _unpack_tuple(function: Callable[..., Any], count: int) -> Callable[..., Any]:
    return function if count > 1 else lambda column: function(column)


@export(v2="data.experimental.make_csv_dataset")
def make_csv_dataset(
    file_pattern: Any, batch_size: IntLike, column_names: Sequence[str] | None = None, column_defaults: Sequence[Any] | None = None,
    label_name: str | None = None, select_columns: Sequence[Any] | None = None, field_delim: str = ",", use_quote_delim: bool = True,
    na_value: str = "", header: bool = True, num_epochs: int | None = None, shuffle: bool = True, shuffle_buffer_size: int = 10000,
    shuffle_seed: int | None = None, prefetch_buffer_size: int | None = None, num_parallel_reads: int | None = None,
    sloppy: bool = False, num_rows_for_inference: int | None = 100, compression_type: Any = None, ignore_errors: bool = False,
    encoding: str = "utf-8",
) -> Dataset[Any]:  # fmt: skip
    """Batches of the columns of files of comma-separated values: an ordered dictionary by name, with `label_name` beside it if given.

    column_names: in place of those in the first lines.  column_defaults: as `CsvDataset` takes them; else dtypes are found in the first
    `num_rows_for_inference` rows, and missing fields are 0 or empty.  encoding: of the names and of the rows read for dtypes.
    select_columns: names or numbers.  num_epochs: without end where None, in batches that are full.  Rows are shuffled after the files.
    Raises ValueError for files that do not fit each other, or names that are not there.

    >>> import os, pullback as tf
    >>> path = os.path.join(getfixture("tmp_path"), "a.csv")
    >>> tf.io.write_file(path, "n,word\\n1,a\\n2,b\\n")
    >>> for features, label in tf.data.experimental.make_csv_dataset(path, 2, label_name="n", num_epochs=1, shuffle=False):
    ...     features["word"].numpy().tolist(), label.numpy().tolist()
    ([b'a', b'b'], [1, 2])
    """
    made: Dataset[Any] = _make_dataset(
        CsvDataset, file_pattern, batch_size, column_names, column_defaults, label_name, select_columns, field_delim, use_quote_delim,
        na_value, header, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed, prefetch_buffer_size, num_parallel_reads, sloppy,
        num_rows_for_inference, compression_type, ignore_errors, encoding,
    )  # fmt: skip
    return made


@export(v1="data.experimental.make_csv_dataset")
def make_csv_dataset_v1(
    file_pattern: Any, batch_size: IntLike, column_names: Sequence[str] | None = None, column_defaults: Sequence[Any] | None = None,
    label_name: str | None = None, select_columns: Sequence[Any] | None = None, field_delim: str = ",", use_quote_delim: bool = True,
    na_value: str = "", header: bool = True, num_epochs: int | None = None, shuffle: bool = True, shuffle_buffer_size: int = 10000,
    shuffle_seed: int | None = None, prefetch_buffer_size: int | None = None, num_parallel_reads: int | None = None,
    sloppy: bool = False, num_rows_for_inference: int | None = 100, compression_type: Any = None, ignore_errors: bool = False,
    encoding: str = "utf-8",
) -> DatasetV1[Any]:  # fmt: skip
    """`make_csv_dataset` as a dataset of TensorFlow 1.

    >>> import os
    >>> path = os.path.join(getfixture("tmp_path"), "a.csv")
    >>> with open(path, "w") as file:
    ...     _ = file.write("n,word\\n1,a\\n")
    >>> list(tf1.data.experimental.make_csv_dataset(path, 1).element_spec)
    ['n', 'word']
    """
    made: DatasetV1[Any] = _make_dataset(
        CsvDatasetV1, file_pattern, batch_size, column_names, column_defaults, label_name, select_columns, field_delim, use_quote_delim,
        na_value, header, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed, prefetch_buffer_size, num_parallel_reads, sloppy,
        num_rows_for_inference, compression_type, ignore_errors, encoding,
    )  # fmt: skip
    return made
