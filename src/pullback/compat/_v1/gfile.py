"""The names of `tf.compat.v1.gfile`."""

from ...interop.gfile import (
    GFile,
)
from ...interop.gfile import (
    GFile as FastGFile,
)
from ...interop.gfile import (
    GFile as Open,
)
from ...interop.gfile import (
    copy as Copy,
)
from ...interop.gfile import (
    exists as Exists,
)
from ...interop.gfile import (
    glob as Glob,
)
from ...interop.gfile import (
    isdir as IsDirectory,
)
from ...interop.gfile import (
    listdir as ListDirectory,
)
from ...interop.gfile import (
    makedirs as MakeDirs,
)
from ...interop.gfile import (
    mkdir as MkDir,
)
from ...interop.gfile import (
    remove as Remove,
)
from ...interop.gfile import (
    rename as Rename,
)
from ...interop.gfile import (
    rmtree as DeleteRecursively,
)
from ...interop.gfile import (
    walk as Walk,
)
from ...interop.names import missing as _missing

__all__ = [
    "Copy",
    "DeleteRecursively",
    "Exists",
    "FastGFile",
    "GFile",
    "Glob",
    "IsDirectory",
    "ListDirectory",
    "MakeDirs",
    "MkDir",
    "Open",
    "Remove",
    "Rename",
    "Walk",
]

__getattr__ = _missing("tf1.gfile", __all__)
