"""The names of `pullback.compat.v1.contrib.seq2seq`, written by docs/make_exports.py."""

from pullback.tensorflow.contrib.legacy_losses import loss_of_sequences as sequence_loss
from pullback.tensorflow.contrib.seq2seq_attention import AttentionMechanism as AttentionMechanism
from pullback.tensorflow.contrib.seq2seq_attention import AttentionWrapper as AttentionWrapper
from pullback.tensorflow.contrib.seq2seq_attention import AttentionWrapperState as AttentionWrapperState
from pullback.tensorflow.contrib.seq2seq_attention import BahdanauAttention as BahdanauAttention
from pullback.tensorflow.contrib.seq2seq_attention import LuongAttention as LuongAttention
from pullback.tensorflow.contrib.seq2seq_attention import hardmax as hardmax
from pullback.tensorflow.contrib.seq2seq_beam import BeamSearchDecoder as BeamSearchDecoder
from pullback.tensorflow.contrib.seq2seq_beam import BeamSearchDecoderOutput as BeamSearchDecoderOutput
from pullback.tensorflow.contrib.seq2seq_beam import BeamSearchDecoderState as BeamSearchDecoderState
from pullback.tensorflow.contrib.seq2seq_beam import FinalBeamSearchDecoderOutput as FinalBeamSearchDecoderOutput
from pullback.tensorflow.contrib.seq2seq_beam import gather_tree as gather_tree
from pullback.tensorflow.contrib.seq2seq_beam import tile_batch as tile_batch
from pullback.tensorflow.contrib.seq2seq_decoding import BasicDecoder as BasicDecoder
from pullback.tensorflow.contrib.seq2seq_decoding import BasicDecoderOutput as BasicDecoderOutput
from pullback.tensorflow.contrib.seq2seq_decoding import Decoder as Decoder
from pullback.tensorflow.contrib.seq2seq_decoding import dynamic_decode as dynamic_decode
from pullback.tensorflow.contrib.seq2seq_helpers import CustomHelper as CustomHelper
from pullback.tensorflow.contrib.seq2seq_helpers import GreedyEmbeddingHelper as GreedyEmbeddingHelper
from pullback.tensorflow.contrib.seq2seq_helpers import Helper as Helper
from pullback.tensorflow.contrib.seq2seq_helpers import InferenceHelper as InferenceHelper
from pullback.tensorflow.contrib.seq2seq_helpers import SampleEmbeddingHelper as SampleEmbeddingHelper
from pullback.tensorflow.contrib.seq2seq_helpers import ScheduledEmbeddingTrainingHelper as ScheduledEmbeddingTrainingHelper
from pullback.tensorflow.contrib.seq2seq_helpers import ScheduledOutputTrainingHelper as ScheduledOutputTrainingHelper
from pullback.tensorflow.contrib.seq2seq_helpers import TrainingHelper as TrainingHelper

__all__ = [
    "AttentionMechanism",
    "AttentionWrapper",
    "AttentionWrapperState",
    "BahdanauAttention",
    "BasicDecoder",
    "BasicDecoderOutput",
    "BeamSearchDecoder",
    "BeamSearchDecoderOutput",
    "BeamSearchDecoderState",
    "CustomHelper",
    "Decoder",
    "FinalBeamSearchDecoderOutput",
    "GreedyEmbeddingHelper",
    "Helper",
    "InferenceHelper",
    "LuongAttention",
    "SampleEmbeddingHelper",
    "ScheduledEmbeddingTrainingHelper",
    "ScheduledOutputTrainingHelper",
    "TrainingHelper",
    "dynamic_decode",
    "gather_tree",
    "hardmax",
    "sequence_loss",
    "tile_batch",
]
