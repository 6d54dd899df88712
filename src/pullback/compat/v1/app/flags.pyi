"""The names of `pullback.compat.v1.app.flags`, written by docs/make_exports.py."""

from pullback.compat.v1.flags import *
from pullback.compat.v1.flags import __all__
