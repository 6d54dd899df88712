"""Datasets of what is in files: lines, records, pieces of one length."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ...base.dtypes import string
from ...base.errors import InvalidArgumentError
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import IntLike, Tensor
from ...ops.constant import TensorSpec
from .batching import as_array
from .dataset import DatasetBase, count_of
from .methods import Dataset
from .records import TFRecordOptions, TFRecordWriter, open_file, records
from .sequence import scalar
from .source import UNKNOWN, Pass, Source
from .structure import Element
from .v1 import DatasetV1

if TYPE_CHECKING:
    import os

    Path: TypeAlias = str | bytes | os.PathLike[str]
    Filenames: TypeAlias = Path | Sequence[Path] | Tensor | DatasetBase[Tensor] | np.ndarray[Any, Any]

#: The pieces of a file, by its name and how it is compressed.
Read = Callable[[Any, str], Iterator[bytes]]


def _lines(path: Any, compression: str) -> Iterator[bytes]:
    with open_file(path, compression) as file:
        for line in file:
            yield line.removesuffix(b"\n").removesuffix(b"\r")


def _pieces(size: int, header: int, footer: int) -> Read:
    def read(path: Any, compression: str) -> Iterator[bytes]:
        with open_file(path, compression) as file:
            content = file.read()
        body = len(content) - header - footer
        if body < 0 or body % size:
            around = f"Excluding the header ({header} bytes) and footer ({footer} bytes)"
            text = f'{around}, input file "{path}" has body length {body} bytes, which is not an exact multiple of the record length'
            raise InvalidArgumentError(None, None, f"{text} ({size} bytes).")
        for at in range(header, header + body, size):
            yield content[at : at + size]

    return read


def _source(read: Read, names: Any, compression: Any) -> Source:
    kind = as_array(compression)[()].decode()
    paths = np.ravel(as_array(names)).tolist()

    def elements(run: Pass) -> Iterator[Element]:
        if kind not in ("", "GZIP", "ZLIB"):
            raise InvalidArgumentError(None, None, f"Unsupported compression_type: {kind}.")
        return ((scalar(piece),) for piece in itertools.chain.from_iterable(read(path, kind) for path in paths))

    return Source(elements, UNKNOWN)


def _read_files(family: type[Dataset[Any]], kind: str, read: Read, filenames: Any, compression: Any, parallel: Any) -> Any:
    """The dataset of the pieces of files, which are named by strings or by a dataset of such."""
    spec = TensorSpec([], string)

    def read_one(name: Any) -> Any:
        return family._build(kind, spec, lambda names, how: _source(read, names, how), [name, convert_to_tensor(compression or "")])

    if not isinstance(filenames, DatasetBase):
        names = convert_to_tensor([str(f) for f in filenames] if _are_paths(filenames) else filenames, string)
        if parallel is None:
            return read_one(names)
        filenames = family.from_tensor_slices(names if names.shape.rank else [names])
    elif filenames.element_spec.dtype is not string:
        raise TypeError(f"The `filenames` argument must contain `tf.string` elements. Got {filenames.element_spec.dtype!r} elements.")
    if parallel is None:
        return filenames.flat_map(read_one)
    return filenames.interleave(read_one, parallel, num_parallel_calls=parallel)


def _are_paths(filenames: Any) -> bool:
    return isinstance(filenames, Sequence) and not isinstance(filenames, (str, bytes)) and any(hasattr(f, "__fspath__") for f in filenames)


class _OfFiles(Dataset[Tensor]):
    """A dataset that files make; what is made of it is a plain one."""

    def _take(self, made: Any) -> None:
        self.__dict__.update(made.__dict__)


@export(v2="data.TextLineDataset")
class TextLineDataset(_OfFiles):
    """The lines of text files, without their ends.

    filenames: a string, several, or a dataset of such.  compression_type: "GZIP" or "ZLIB".  num_parallel_reads: how many files are read
    in turn, a line of each; one after the other where None.

    >>> import os, pullback as tf
    >>> path = os.path.join(getfixture("tmp_path"), "lines.txt")
    >>> tf.io.write_file(path, "one\\ntwo\\n")
    >>> list(tf.data.TextLineDataset(path).as_numpy_iterator())
    [b'one', b'two']
    """

    def __init__(
        self, filenames: Filenames, compression_type: Any = None, buffer_size: Any = None, num_parallel_reads: Any = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        self._take(_read_files(self._family(), "TextLineDatasetV2", _lines, filenames, compression_type, num_parallel_reads))


@export(v2="data.TFRecordDataset")
class TFRecordDataset(_OfFiles):
    """The records of TFRecord files, strings; the arguments are those of `TextLineDataset`.

    Raises DataLossError, at iteration, where a file is damaged.

    >>> import os, pullback as tf
    >>> path = os.path.join(getfixture("tmp_path"), "records")
    >>> with tf.io.TFRecordWriter(path, "GZIP") as writer:
    ...     writer.write(b"one")
    >>> list(tf.data.TFRecordDataset([path, path], "GZIP").as_numpy_iterator())
    [b'one', b'one']
    """

    def __init__(
        self, filenames: Filenames, compression_type: Any = None, buffer_size: Any = None, num_parallel_reads: Any = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        kind = TFRecordOptions.get_compression_type_string(compression_type)
        self._take(_read_files(self._family(), "TFRecordDatasetV2", records, filenames, kind, num_parallel_reads))


@export(v2="data.FixedLengthRecordDataset")
class FixedLengthRecordDataset(_OfFiles):
    """Files cut into strings of `record_bytes`, after `header_bytes` and before `footer_bytes`, which are left out.

    >>> import os, pullback as tf
    >>> path = os.path.join(getfixture("tmp_path"), "bytes")
    >>> tf.io.write_file(path, "-abcd")
    >>> list(tf.data.FixedLengthRecordDataset(path, 2, header_bytes=1).as_numpy_iterator())
    [b'ab', b'cd']
    """

    def __init__(
        self, filenames: Filenames, record_bytes: IntLike, header_bytes: Any = None, footer_bytes: Any = None, buffer_size: Any = None,
        compression_type: Any = None, num_parallel_reads: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        sizes = [count_of(n or 0, "bytes").constant for n in (record_bytes, header_bytes, footer_bytes)]
        read = _pieces(*[int(n) for n in sizes])
        self._take(_read_files(self._family(), "FixedLengthRecordDatasetV2", read, filenames, compression_type, num_parallel_reads))


@export("data.experimental.TFRecordWriter")
class DatasetRecordWriter:
    """Writes the elements of a dataset, which are strings, to a TFRecord file.

    >>> import os, pullback as tf
    >>> path = os.path.join(getfixture("tmp_path"), "records")
    >>> tf.data.experimental.TFRecordWriter(path).write(tf.data.Dataset.from_tensor_slices(["one", "two"]))
    >>> list(tf.data.TFRecordDataset(path).as_numpy_iterator())
    [b'one', b'two']
    """

    def __init__(self, filename: str, compression_type: str | None = None) -> None:
        self._filename, self._compression = filename, compression_type

    def write(self, dataset: Dataset[Tensor]) -> None:
        """Write a whole dataset.  Raises TypeError for what is no dataset of strings, RuntimeError in a graph."""
        if not isinstance(dataset, Dataset):
            raise TypeError(f"Invalid `dataset.` Expected a `tf.data.Dataset` object but got {type(dataset)}.")
        if dataset.element_spec != TensorSpec([], string):
            raise TypeError(
                "Invalid `dataset`. Expected a `dataset` that produces scalar `tf.string` elements, but got a dataset which produces "
                f"elements of {dataset.element_spec!r}"
            )
        with TFRecordWriter(self._filename, self._compression) as writer:
            for record in dataset.as_numpy_iterator():
                writer.write(record)


@export(v1="data.TextLineDataset")
class TextLineDatasetV1(DatasetV1[Tensor], TextLineDataset):
    """`TextLineDataset` of TensorFlow 1.

    >>> issubclass(tf1.data.TextLineDataset, tf1.data.Dataset)
    True
    """


@export(v1="data.TFRecordDataset")
class TFRecordDatasetV1(DatasetV1[Tensor], TFRecordDataset):
    """`TFRecordDataset` of TensorFlow 1.

    >>> issubclass(tf1.data.TFRecordDataset, tf1.data.Dataset)
    True
    """


@export(v1="data.FixedLengthRecordDataset")
class FixedLengthRecordDatasetV1(DatasetV1[Tensor], FixedLengthRecordDataset):
    """`FixedLengthRecordDataset` of TensorFlow 1.

    >>> issubclass(tf1.data.FixedLengthRecordDataset, tf1.data.Dataset)
    True
    """
