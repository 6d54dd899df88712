"""The names of `pullback.compat.v1.saved_model`, written by docs/make_exports.py."""

from pullback.compat.v1.saved_model import constants
from pullback.compat.v1.saved_model import experimental
from pullback.compat.v1.saved_model import loader
from pullback.compat.v1.saved_model import signature_constants
from pullback.compat.v1.saved_model import tag_constants
from pullback.tensorflow.saved_model.loading import load as load_v2
from pullback.tensorflow.saved_model.parts import ASSETS_DIRECTORY
from pullback.tensorflow.saved_model.parts import ASSETS_KEY
from pullback.tensorflow.saved_model.parts import Asset
from pullback.tensorflow.saved_model.parts import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from pullback.tensorflow.saved_model.parts import GPU
from pullback.tensorflow.saved_model.parts import PREDICT_INPUTS
from pullback.tensorflow.saved_model.parts import PREDICT_METHOD_NAME
from pullback.tensorflow.saved_model.parts import PREDICT_OUTPUTS
from pullback.tensorflow.saved_model.parts import SERVING
from pullback.tensorflow.saved_model.parts import SaveOptions
from pullback.tensorflow.saved_model.parts import TPU
from pullback.tensorflow.saved_model.parts import TRAINING
from pullback.tensorflow.saved_model.parts import VARIABLES_DIRECTORY
from pullback.tensorflow.saved_model.parts import VARIABLES_FILENAME
from pullback.tensorflow.saved_model.parts import contains_saved_model
from pullback.tensorflow.saved_model.parts import contains_saved_model as maybe_saved_model_directory
from pullback.tensorflow.saved_model.saving import save

__all__ = [
    "ASSETS_DIRECTORY",
    "ASSETS_KEY",
    "Asset",
    "DEFAULT_SERVING_SIGNATURE_DEF_KEY",
    "GPU",
    "PREDICT_INPUTS",
    "PREDICT_METHOD_NAME",
    "PREDICT_OUTPUTS",
    "SERVING",
    "SaveOptions",
    "TPU",
    "TRAINING",
    "VARIABLES_DIRECTORY",
    "VARIABLES_FILENAME",
    "constants",
    "contains_saved_model",
    "experimental",
    "load_v2",
    "loader",
    "maybe_saved_model_directory",
    "save",
    "signature_constants",
    "tag_constants",
]
