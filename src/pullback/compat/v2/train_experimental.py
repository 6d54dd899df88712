"""The names of `tf.train.experimental`, of both versions."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...train.trackable import PythonState

__all__ = ["PythonState"]

__getattr__ = _missing("tf.train.experimental", __all__, __name__)
