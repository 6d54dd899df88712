"""The names of `pullback.compat.v1.autograph.experimental`, written by docs/make_exports.py."""

from pullback.compile.autograph import do_not_convert
from pullback.compile.autograph import set_loop_options
from pullback.compile.autograph_features import Feature

__all__ = [
    "Feature",
    "do_not_convert",
    "set_loop_options",
]
