"""The names of `tf.autograph.experimental`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ....compile.autograph import do_not_convert, set_loop_options
    from ....compile.autograph_features import Feature

__all__ = [
    "Feature",
    "do_not_convert",
    "set_loop_options",
]

__getattr__ = _missing("tf.autograph.experimental", __all__, __name__)
