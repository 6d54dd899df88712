"""The names of `pullback.compat.v1.saved_model`, written by docs/make_exports.py."""

from pullback.compat.v1.saved_model import constants as constants
from pullback.compat.v1.saved_model import experimental as experimental
from pullback.compat.v1.saved_model import loader as loader
from pullback.compat.v1.saved_model import signature_constants as signature_constants
from pullback.compat.v1.saved_model import tag_constants as tag_constants
from pullback.tensorflow.saved_model.loading import load as load_v2
from pullback.tensorflow.saved_model.parts import ASSETS_DIRECTORY as ASSETS_DIRECTORY
from pullback.tensorflow.saved_model.parts import ASSETS_KEY as ASSETS_KEY
from pullback.tensorflow.saved_model.parts import Asset as Asset
from pullback.tensorflow.saved_model.parts import DEFAULT_SERVING_SIGNATURE_DEF_KEY as DEFAULT_SERVING_SIGNATURE_DEF_KEY
from pullback.tensorflow.saved_model.parts import GPU as GPU
from pullback.tensorflow.saved_model.parts import PREDICT_INPUTS as PREDICT_INPUTS
from pullback.tensorflow.saved_model.parts import PREDICT_METHOD_NAME as PREDICT_METHOD_NAME
from pullback.tensorflow.saved_model.parts import PREDICT_OUTPUTS as PREDICT_OUTPUTS
from pullback.tensorflow.saved_model.parts import SERVING as SERVING
from pullback.tensorflow.saved_model.parts import SaveOptions as SaveOptions
from pullback.tensorflow.saved_model.parts import TPU as TPU
from pullback.tensorflow.saved_model.parts import TRAINING as TRAINING
from pullback.tensorflow.saved_model.parts import VARIABLES_DIRECTORY as VARIABLES_DIRECTORY
from pullback.tensorflow.saved_model.parts import VARIABLES_FILENAME as VARIABLES_FILENAME
from pullback.tensorflow.saved_model.parts import contains_saved_model as contains_saved_model
from pullback.tensorflow.saved_model.parts import contains_saved_model as maybe_saved_model_directory
from pullback.tensorflow.saved_model.saving import save as save

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
