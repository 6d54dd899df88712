"""The names of `tf.summary.experimental`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ....interop.event_files import get_step, set_step
    from ....interop.summary_writers import summary_scope

__all__ = [
    "get_step",
    "set_step",
    "summary_scope",
]

__getattr__ = _missing("tf.summary.experimental", __all__, __name__)
