"""The names of `pullback.compat.v1.saved_model.tag_constants`, written by docs/make_exports.py."""

from pullback.tensorflow.saved_model.parts import GPU as GPU
from pullback.tensorflow.saved_model.parts import SERVING as SERVING
from pullback.tensorflow.saved_model.parts import TPU as TPU
from pullback.tensorflow.saved_model.parts import TRAINING as TRAINING

__all__ = [
    "GPU",
    "SERVING",
    "TPU",
    "TRAINING",
]
