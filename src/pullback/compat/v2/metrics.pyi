"""The names of `pullback.compat.v2.metrics`, written by docs/make_exports.py."""

from pullback.compat.v2.keras.metrics import *
from pullback.compat.v2.keras.metrics import __all__
