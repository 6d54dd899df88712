"""The names of `pullback.compat.v1.contrib.legacy_seq2seq`, written by docs/make_exports.py."""

from pullback.tensorflow.contrib.legacy_attention import attention_decoder as attention_decoder
from pullback.tensorflow.contrib.legacy_attention import embedding_attention_decoder as embedding_attention_decoder
from pullback.tensorflow.contrib.legacy_attention import embedding_attention_seq2seq as embedding_attention_seq2seq
from pullback.tensorflow.contrib.legacy_losses import model_with_buckets as model_with_buckets
from pullback.tensorflow.contrib.legacy_losses import sequence_loss as sequence_loss
from pullback.tensorflow.contrib.legacy_losses import sequence_loss_by_example as sequence_loss_by_example
from pullback.tensorflow.contrib.legacy_seq2seq import basic_rnn_seq2seq as basic_rnn_seq2seq
from pullback.tensorflow.contrib.legacy_seq2seq import embedding_rnn_decoder as embedding_rnn_decoder
from pullback.tensorflow.contrib.legacy_seq2seq import embedding_rnn_seq2seq as embedding_rnn_seq2seq
from pullback.tensorflow.contrib.legacy_seq2seq import rnn_decoder as rnn_decoder
from pullback.tensorflow.contrib.legacy_seq2seq import tied_rnn_seq2seq as tied_rnn_seq2seq

__all__ = [
    "attention_decoder",
    "basic_rnn_seq2seq",
    "embedding_attention_decoder",
    "embedding_attention_seq2seq",
    "embedding_rnn_decoder",
    "embedding_rnn_seq2seq",
    "model_with_buckets",
    "rnn_decoder",
    "sequence_loss",
    "sequence_loss_by_example",
    "tied_rnn_seq2seq",
]
