"""The names of `pullback.compat.v1.contrib.slim.utils`, written by docs/make_exports.py."""

from pullback.compat.v1.contrib.layers.utils import *
from pullback.compat.v1.contrib.layers.utils import __all__
