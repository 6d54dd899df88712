"""The names of `pullback.compat.v1.autograph.experimental`, written by docs/make_exports.py."""

from pullback.trace.autograph import do_not_convert as do_not_convert
from pullback.trace.autograph_features import Feature as Feature
from pullback.trace.autograph_loops import set_loop_options as set_loop_options

__all__ = [
    "Feature",
    "do_not_convert",
    "set_loop_options",
]
