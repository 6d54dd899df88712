"""The names of `pullback.compat.v2.losses`, written by docs/make_exports.py."""

from pullback.compat.v2.keras.losses import *
from pullback.compat.v2.keras.losses import __all__
