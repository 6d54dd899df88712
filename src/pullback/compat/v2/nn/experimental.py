"""The names of `tf.nn.experimental`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ....nn.dropout import general_dropout, stateless_dropout

__all__ = [
    "general_dropout",
    "stateless_dropout",
]

__getattr__ = _missing("tf.nn.experimental", __all__, __name__)
