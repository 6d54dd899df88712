"""The names of `tf.data`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...datasets.dataset import DatasetSpec
    from ...datasets.iterators import IteratorBase as Iterator
    from ...datasets.iterators import IteratorSpec
    from ...datasets.methods import AUTOTUNE, Dataset
    from ...datasets.source import INFINITE as INFINITE_CARDINALITY
    from ...datasets.source import UNKNOWN as UNKNOWN_CARDINALITY

__all__ = [
    "AUTOTUNE",
    "INFINITE_CARDINALITY",
    "UNKNOWN_CARDINALITY",
    "Dataset",
    "DatasetSpec",
    "Iterator",
    "IteratorSpec",
]

__getattr__ = _missing("tf.data", __all__, __name__)
