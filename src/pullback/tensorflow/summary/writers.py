"""Writers of summaries beside files: one that writes nothing, TensorFlow 1's writers by directory; and the scope of a summary."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from typing import ClassVar

from ...api.default import get_default_graph
from ...api.names import get_current_name_scope, name_scope
from ...base.export import export
from ...ir.tensor import IntLike, TensorLike
from .event_files import FileWriter


class NoopWriter:
    """A writer that writes nothing, and leaves the default writer what it is."""

    @contextlib.contextmanager
    def as_default(self, step: IntLike | None = None) -> Iterator[None]:
        """Nothing, for the length of the block."""
        yield

    def set_as_default(self, step: IntLike | None = None) -> None:
        """Nothing."""

    def init(self) -> None:
        """Nothing."""

    def flush(self) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""


@export(v2="summary.create_noop_writer")
def create_noop_writer() -> NoopWriter:
    """A writer that writes nothing, for programs that want one all the same.

    >>> with tf.summary.create_noop_writer().as_default():
    ...     tf.summary.scalar("loss", 0.5, step=1)
    False
    """
    return NoopWriter()


@export(v2="summary.experimental.summary_scope")
@contextlib.contextmanager
def summary_scope(name: str | None, default_name: str = "summary", values: TensorLike | None = None) -> Iterator[tuple[str, str]]:
    """The tag of a summary, its name within the current name scope, and a name scope for the operations that make it.

    >>> with tf.name_scope("train"), tf.summary.experimental.summary_scope("the loss") as (tag, scope):
    ...     tag, scope
    ('train/the loss', 'train/theloss/')
    """
    name = name or default_name
    outer = get_current_name_scope()
    with name_scope(re.sub(r"[^A-Za-z0-9_.\\/-]", "", name) or None) as scope:
        yield f"{outer}/{name}" if outer else name, scope


@export(v1="summary.FileWriterCache")
class FileWriterCache:
    """TensorFlow 1's writers, one for each directory.

    >>> import tempfile
    >>> with tf1.Graph().as_default(), tempfile.TemporaryDirectory() as logs:
    ...     print(tf1.summary.FileWriterCache.get(logs) is tf1.summary.FileWriterCache.get(logs))
    ...     tf1.summary.FileWriterCache.clear()
    True
    """

    _writers: ClassVar[dict[str, FileWriter]] = {}

    @staticmethod
    def get(logdir: str | os.PathLike[str]) -> FileWriter:
        """The writer of a directory, made when first asked for."""
        place = os.fspath(logdir)
        if place not in FileWriterCache._writers:
            FileWriterCache._writers[place] = FileWriter(place, graph=get_default_graph())
        return FileWriterCache._writers[place]

    @staticmethod
    def clear() -> None:
        """Close all writers and forget them."""
        for writer in FileWriterCache._writers.values():
            writer.close()
        FileWriterCache._writers.clear()
