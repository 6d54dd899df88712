"""The names of `pullback.compat.v1.keras`, written by docs/make_exports.py."""

from pullback.compat.v2.keras import *
from pullback.compat.v2.keras import __all__
