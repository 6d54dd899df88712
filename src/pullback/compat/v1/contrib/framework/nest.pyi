"""The names of `pullback.compat.v1.contrib.framework.nest`, written by docs/make_exports.py."""

from pullback.compat.v1.nest import *
from pullback.compat.v1.nest import __all__
