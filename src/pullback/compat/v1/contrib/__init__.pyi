"""The names of `pullback.compat.v1.contrib`, written by docs/make_exports.py."""

from pullback.compat.v1.contrib import crf as crf
from pullback.compat.v1.contrib import distributions as distributions
from pullback.compat.v1.contrib import eager as eager
from pullback.compat.v1.contrib import framework as framework
from pullback.compat.v1.contrib import layers as layers
from pullback.compat.v1.contrib import legacy_seq2seq as legacy_seq2seq
from pullback.compat.v1.contrib import lookup as lookup
from pullback.compat.v1.contrib import losses as losses
from pullback.compat.v1.contrib import opt as opt
from pullback.compat.v1.contrib import rnn as rnn
from pullback.compat.v1.contrib import seq2seq as seq2seq
from pullback.compat.v1.contrib import slim as slim
from pullback.compat.v1.contrib import training as training

__all__ = [
    "crf",
    "distributions",
    "eager",
    "framework",
    "layers",
    "legacy_seq2seq",
    "lookup",
    "losses",
    "opt",
    "rnn",
    "seq2seq",
    "slim",
    "training",
]
