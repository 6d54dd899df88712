"""The names of `pullback.compat.v1.contrib.distributions`, written by docs/make_exports.py."""

from pullback.compat.v1.distributions import *
from pullback.compat.v1.distributions import __all__
