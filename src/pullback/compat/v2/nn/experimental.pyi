"""The names of `pullback.compat.v2.nn.experimental`, written by docs/make_exports.py."""

from pullback.nn.dropout import general_dropout as general_dropout
from pullback.nn.dropout import stateless_dropout as stateless_dropout

__all__ = [
    "general_dropout",
    "stateless_dropout",
]
