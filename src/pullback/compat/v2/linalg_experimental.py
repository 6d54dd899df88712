"""The names of `tf.linalg.experimental`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...linear_operators import conjugate_gradient

__all__ = ["conjugate_gradient"]

__getattr__ = _missing("tf.linalg.experimental", __all__, __name__)
