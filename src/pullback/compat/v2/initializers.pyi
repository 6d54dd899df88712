"""The names of `pullback.compat.v2.initializers`, written by docs/make_exports.py."""

from pullback.compat.v2.keras.initializers import *
from pullback.compat.v2.keras.initializers import __all__
