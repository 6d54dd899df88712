"""The names of `pullback.compat.v1.saved_model.loader`, written by docs/make_exports.py."""

from pullback.tensorflow.saved_model.parts import contains_saved_model as maybe_saved_model_directory

__all__ = [
    "maybe_saved_model_directory",
]
