"""The names of `pullback.compat.v1.saved_model.signature_constants`, written by docs/make_exports.py."""

from pullback.tensorflow.saved_model.parts import DEFAULT_SERVING_SIGNATURE_DEF_KEY as DEFAULT_SERVING_SIGNATURE_DEF_KEY
from pullback.tensorflow.saved_model.parts import PREDICT_INPUTS as PREDICT_INPUTS
from pullback.tensorflow.saved_model.parts import PREDICT_METHOD_NAME as PREDICT_METHOD_NAME
from pullback.tensorflow.saved_model.parts import PREDICT_OUTPUTS as PREDICT_OUTPUTS

__all__ = [
    "DEFAULT_SERVING_SIGNATURE_DEF_KEY",
    "PREDICT_INPUTS",
    "PREDICT_METHOD_NAME",
    "PREDICT_OUTPUTS",
]
