"""The names of `pullback.compat.v2.optimizers`, written by docs/make_exports.py."""

from pullback.compat.v2.keras.optimizers import *
from pullback.compat.v2.keras.optimizers import __all__
