"""The names of `pullback.compat.v1.contrib.lookup`, written by docs/make_exports.py."""

from pullback.compat.v1.lookup import *
from pullback.compat.v1.lookup import __all__
