"""The names of `tf.experimental.extension_type`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ....ops.extension.types import as_dict

__all__ = ["as_dict"]

__getattr__ = _missing("tf.experimental.extension_type", __all__, __name__)
