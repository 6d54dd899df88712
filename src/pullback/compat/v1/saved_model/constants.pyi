"""The names of `pullback.compat.v1.saved_model.constants`, written by docs/make_exports.py."""

from pullback.tensorflow.saved_model.parts import ASSETS_DIRECTORY as ASSETS_DIRECTORY
from pullback.tensorflow.saved_model.parts import ASSETS_KEY as ASSETS_KEY
from pullback.tensorflow.saved_model.parts import VARIABLES_DIRECTORY as VARIABLES_DIRECTORY
from pullback.tensorflow.saved_model.parts import VARIABLES_FILENAME as VARIABLES_FILENAME

__all__ = [
    "ASSETS_DIRECTORY",
    "ASSETS_KEY",
    "VARIABLES_DIRECTORY",
    "VARIABLES_FILENAME",
]
