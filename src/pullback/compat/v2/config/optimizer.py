"""The names of `tf.config.optimizer`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ....compile.tiers import get_jit, set_jit

__all__ = [
    "get_jit",
    "set_jit",
]

__getattr__ = _missing("tf.config.optimizer", __all__, __name__)
