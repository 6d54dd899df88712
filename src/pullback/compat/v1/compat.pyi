"""The names of `pullback.compat.v1.compat`, written by docs/make_exports.py."""

from pullback.compat import *
from pullback.compat import __all__
