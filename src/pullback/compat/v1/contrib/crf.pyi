"""The names of `pullback.compat.v1.contrib.crf`, written by docs/make_exports.py."""

from pullback.tensorflow.contrib.crf import crf_binary_score as crf_binary_score
from pullback.tensorflow.contrib.crf import crf_decode as crf_decode
from pullback.tensorflow.contrib.crf import crf_log_likelihood as crf_log_likelihood
from pullback.tensorflow.contrib.crf import crf_log_norm as crf_log_norm
from pullback.tensorflow.contrib.crf import crf_sequence_score as crf_sequence_score
from pullback.tensorflow.contrib.crf import crf_unary_score as crf_unary_score
from pullback.tensorflow.contrib.crf import viterbi_decode as viterbi_decode

__all__ = [
    "crf_binary_score",
    "crf_decode",
    "crf_log_likelihood",
    "crf_log_norm",
    "crf_sequence_score",
    "crf_unary_score",
    "viterbi_decode",
]
