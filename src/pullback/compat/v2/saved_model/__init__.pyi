"""The names of `pullback.compat.v2.saved_model`, written by docs/make_exports.py."""

from pullback.compat.v2.saved_model import experimental as experimental
from pullback.tensorflow.saved_model.loading import load as load
from pullback.tensorflow.saved_model.parts import ASSETS_DIRECTORY as ASSETS_DIRECTORY
from pullback.tensorflow.saved_model.parts import ASSETS_KEY as ASSETS_KEY
from pullback.tensorflow.saved_model.parts import Asset as Asset
from pullback.tensorflow.saved_model.parts import DEFAULT_SERVING_SIGNATURE_DEF_KEY as DEFAULT_SERVING_SIGNATURE_DEF_KEY
from pullback.tensorflow.saved_model.parts import GPU as GPU
from pullback.tensorflow.saved_model.parts import LoadOptions as LoadOptions
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
from pullback.tensorflow.saved_model.saving import save as save

__all__ = [
    "ASSETS_DIRECTORY",
    "ASSETS_KEY",
    "Asset",
    "DEFAULT_SERVING_SIGNATURE_DEF_KEY",
    "GPU",
    "LoadOptions",
    "PREDICT_INPUTS",
    "PREDICT_METHOD_NAME",
    "PREDICT_OUTPUTS",
    "SERVING",
    "SaveOptions",
    "TPU",
    "TRAINING",
    "VARIABLES_DIRECTORY",
    "VARIABLES_FILENAME",
    "contains_saved_model",
    "experimental",
    "load",
    "save",
]
