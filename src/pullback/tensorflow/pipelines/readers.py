"""TensorFlow 1's readers, which take names of files from a queue and give one record after the other."""

from __future__ import annotations

from typing import Any

from ...base.export import export
from ...ir.context import executing_eagerly
from ...ir.node import Node
from ...ir.tensor import IntLike, Tensor
from ..datasets.records import TFRecordOptions
from ..queues.classes import QueueBase
from . import reader_operations as ops


@export(v1="ReaderBase")
class ReaderBase:
    """What all readers have; each call of `read` in a session gives the next record.

    >>> issubclass(tf1.TextLineReader, tf1.ReaderBase)
    True
    """

    def __init__(self, reader_ref: Any, supports_serialize: bool = False) -> None:
        if executing_eagerly():
            raise RuntimeError("Readers are not supported when eager execution is enabled. Instead, please use tf.data to get data.")
        self._reader_ref = reader_ref

    @property
    def reader_ref(self) -> Tensor:
        """The handle, a tensor of dtype resource."""
        return self._reader_ref

    @property
    def supports_serialize(self) -> bool:
        """Whether the state can be kept as a string; it cannot."""
        return False

    def read(self, queue: Any, name: str | None = None) -> Any:
        """The key and the value of the next record, two strings; OutOfRangeError where the queue is closed and there is none."""
        return ops.READ(self._reader_ref, _handle(queue), name=name)

    def read_up_to(self, queue: Any, num_records: IntLike, name: str | None = None) -> Any:
        """The keys and values of several records, `num_records` at most: those that a file still has."""
        return ops.READ_UP_TO(self._reader_ref, _handle(queue), num_records, name=name)

    def num_records_produced(self, name: str | None = None) -> Tensor:
        """How many records were read."""
        return ops.PRODUCED(self._reader_ref, name=name)

    def num_work_units_completed(self, name: str | None = None) -> Tensor:
        """How many files were read to their end."""
        return ops.COMPLETED(self._reader_ref, name=name)

    def reset(self, name: str | None = None) -> Node | None:
        """Begin anew: the file that is being read is left."""
        return ops.RESET(self._reader_ref, name=name)


def _handle(queue: Any) -> Any:
    return queue.queue_ref if isinstance(queue, QueueBase) else queue


@export(v1="WholeFileReader")
class WholeFileReader(ReaderBase):
    """Files as wholes; the key is the name.

    >>> import os
    >>> path = os.path.join(getfixture("tmp_path"), "greeting")
    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     sess.run(tf1.write_file(path, "hello"))
    ...     names = tf1.train.string_input_producer([path])
    ...     key, value = tf1.WholeFileReader().read(names)
    ...     coord = tf1.train.Coordinator()
    ...     threads = tf1.train.start_queue_runners(sess, coord)
    ...     print(sess.run(value))
    ...     coord.request_stop()
    ...     coord.join(threads)
    b'hello'
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__(ops.WHOLE_FILES(name=name))


@export(v1="TextLineReader")
class TextLineReader(ReaderBase):
    """The lines of text files, without their ends; the key is the file's name and the line's number.

    skip_header_lines: how many lines of each file are left out.

    >>> import os
    >>> path = os.path.join(getfixture("tmp_path"), "lines")
    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     sess.run(tf1.write_file(path, "head\\none\\n"))
    ...     queue = tf1.FIFOQueue(2, tf1.string, [[]])
    ...     value = tf1.TextLineReader(skip_header_lines=1).read(queue)[1]
    ...     sess.run(queue.enqueue(path))
    ...     print(sess.run(value))
    b'one'
    """

    def __init__(self, skip_header_lines: int | None = None, name: str | None = None) -> None:
        super().__init__(ops.LINES(skip_header_lines=skip_header_lines or 0, name=name))


@export(v1="FixedLengthRecordReader")
class FixedLengthRecordReader(ReaderBase):
    """Pieces of `record_bytes`, one every `hop_bytes` (side by side where that is 0), after the header and before the footer.

    encoding: "ZLIB" where the files are compressed.

    >>> import os
    >>> path = os.path.join(getfixture("tmp_path"), "bytes")
    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     sess.run(tf1.write_file(path, "-abcd"))
    ...     queue = tf1.FIFOQueue(2, tf1.string, [[]])
    ...     keys, values = tf1.FixedLengthRecordReader(2, header_bytes=1).read_up_to(queue, 5)
    ...     sess.run(queue.enqueue(path))
    ...     print(sess.run(values))
    [b'ab' b'cd']
    """

    def __init__(
        self,
        record_bytes: int,
        header_bytes: int | None = None,
        footer_bytes: int | None = None,
        hop_bytes: int | None = None,
        name: str | None = None,
        encoding: str | None = None,
    ) -> None:
        sizes = {"header_bytes": header_bytes or 0, "footer_bytes": footer_bytes or 0, "hop_bytes": hop_bytes or 0}
        super().__init__(ops.PIECES(record_bytes=record_bytes, **sizes, encoding=encoding or "", name=name))


@export(v1="TFRecordReader")
class TFRecordReader(ReaderBase):
    """The records of TFRecord files; the key is the file's name and where the record begins.

    options: how the files are compressed, `tf.io.TFRecordOptions`.

    >>> import os
    >>> path = os.path.join(getfixture("tmp_path"), "records")
    >>> with tf1.python_io.TFRecordWriter(path) as writer:
    ...     writer.write(b"one")
    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     queue = tf1.FIFOQueue(2, tf1.string, [[]])
    ...     value = tf1.TFRecordReader().read(queue)[1]
    ...     sess.run(queue.enqueue(path))
    ...     print(sess.run(value))
    b'one'
    """

    def __init__(self, name: str | None = None, options: Any = None) -> None:
        super().__init__(ops.RECORDS(compression_type=TFRecordOptions.get_compression_type_string(options), name=name))


@export(v1="IdentityReader")
class IdentityReader(ReaderBase):
    """What the queue gives, as key and value.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     queue = tf1.FIFOQueue(2, tf1.string, [[]])
    ...     found = tf1.IdentityReader().read(queue)
    ...     sess.run(queue.enqueue("name"))
    ...     print(*sess.run(found))
    b'name' b'name'
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__(ops.IDENTITY(name=name))
