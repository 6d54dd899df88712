"""The names of `pullback.compat.v1.contrib`, written by docs/make_exports.py."""

from pullback.compat.v1.contrib import distributions
from pullback.compat.v1.contrib import framework
from pullback.compat.v1.contrib import layers
from pullback.compat.v1.contrib import legacy_seq2seq
from pullback.compat.v1.contrib import lookup
from pullback.compat.v1.contrib import losses
from pullback.compat.v1.contrib import opt
from pullback.compat.v1.contrib import rnn
from pullback.compat.v1.contrib import slim
from pullback.compat.v1.contrib import training

__all__ = [
    "distributions",
    "framework",
    "layers",
    "legacy_seq2seq",
    "lookup",
    "losses",
    "opt",
    "rnn",
    "slim",
    "training",
]
