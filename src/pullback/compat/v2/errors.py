"""The names of `tf.errors`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing
from ..common import errors as _errors

if TYPE_CHECKING:  # these load when first asked for
    from ...base.errors import OperatorNotAllowedInGraphError
    from ..common.errors import *

__all__ = ["OperatorNotAllowedInGraphError"]
__all__ += _errors.__all__

__getattr__ = _missing("tf.errors", __all__, __name__)
