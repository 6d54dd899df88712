"""The names of `pullback.compat.v2.nn`, written by docs/make_exports.py."""

from pullback.compat.v2.nn import experimental as experimental
from pullback.nn.activations import crelu as crelu
from pullback.nn.activations import gelu as gelu
from pullback.nn.activations import log_softmax as log_softmax
from pullback.nn.activations import silu as silu
from pullback.nn.activations import silu as swish
from pullback.nn.activations import softmax as softmax
from pullback.nn.convolution import atrous_conv2d as atrous_conv2d
from pullback.nn.convolution import conv1d as conv1d
from pullback.nn.convolution import conv2d as conv2d
from pullback.nn.convolution import conv2d_transpose as conv2d_transpose
from pullback.nn.convolution import convolution as convolution
from pullback.nn.convolution import depthwise_conv2d as depthwise_conv2d
from pullback.nn.convolution import separable_conv2d as separable_conv2d
from pullback.nn.convolution_transposes import atrous_conv2d_transpose as atrous_conv2d_transpose
from pullback.nn.convolution_transposes import conv1d_transpose as conv1d_transpose
from pullback.nn.convolution_transposes import conv_transpose as conv_transpose
from pullback.nn.convolution_transposes import depthwise_conv2d_backprop_filter as depthwise_conv2d_backprop_filter
from pullback.nn.convolution_transposes import depthwise_conv2d_backprop_input as depthwise_conv2d_backprop_input
from pullback.nn.dropout import dropout as dropout
from pullback.nn.embedding import embedding_lookup as embedding_lookup
from pullback.nn.embedding_sparse import embedding_lookup_sparse as embedding_lookup_sparse
from pullback.nn.embedding_sparse import safe_embedding_lookup_sparse as safe_embedding_lookup_sparse
from pullback.nn.losses import log_poisson_loss as log_poisson_loss
from pullback.nn.losses import sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits
from pullback.nn.losses import softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits
from pullback.nn.losses import sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits
from pullback.nn.losses import weighted_cross_entropy_with_logits as weighted_cross_entropy_with_logits
from pullback.nn.normalization import batch_norm_with_global_normalization as batch_norm_with_global_normalization
from pullback.nn.normalization import batch_normalization as batch_normalization
from pullback.nn.normalization import l2_normalize as l2_normalize
from pullback.nn.normalization import moments as moments
from pullback.nn.normalization import normalize_moments as normalize_moments
from pullback.nn.normalization import sufficient_statistics as sufficient_statistics
from pullback.nn.normalization import weighted_moments as weighted_moments
from pullback.nn.pooling import avg_pool as avg_pool
from pullback.nn.pooling import avg_pool1d as avg_pool1d
from pullback.nn.pooling import avg_pool2d as avg_pool2d
from pullback.nn.pooling import max_pool as max_pool
from pullback.nn.pooling import max_pool1d as max_pool1d
from pullback.nn.pooling import max_pool2d as max_pool2d
from pullback.nn.pooling import pool as pool
from pullback.nn.pooling_indices import fractional_avg_pool as fractional_avg_pool
from pullback.nn.pooling_indices import fractional_max_pool as fractional_max_pool
from pullback.nn.pooling_indices import max_pool_with_argmax as max_pool_with_argmax
from pullback.nn.sampling import nce_loss as nce_loss
from pullback.nn.sampling import sampled_softmax_loss as sampled_softmax_loss
from pullback.nn.space_to_batch import with_space_to_batch as with_space_to_batch
from pullback.nn.volumes import avg_pool3d as avg_pool3d
from pullback.nn.volumes import conv3d as conv3d
from pullback.nn.volumes import conv3d_transpose as conv3d_transpose
from pullback.nn.volumes import max_pool3d as max_pool3d
from pullback.ops.array.blocks import depth_to_space as depth_to_space
from pullback.ops.array.blocks import space_to_batch as space_to_batch
from pullback.ops.array.blocks import space_to_depth as space_to_depth
from pullback.ops.math.functions import sigmoid as sigmoid
from pullback.ops.math.functions import tanh as tanh
from pullback.ops.nn.activations import elu as elu
from pullback.ops.nn.activations import leaky_relu as leaky_relu
from pullback.ops.nn.activations import relu as relu
from pullback.ops.nn.activations import relu6 as relu6
from pullback.ops.nn.activations import selu as selu
from pullback.ops.nn.bias import bias_add as bias_add
from pullback.ops.nn.bias import l2_loss as l2_loss
from pullback.ops.nn.isotonic import isotonic_regression as isotonic_regression
from pullback.ops.nn.lrn import local_response_normalization as local_response_normalization
from pullback.ops.nn.lrn import local_response_normalization as lrn
from pullback.ops.nn.softplus import softplus as softplus
from pullback.ops.nn.softplus import softsign as softsign
from pullback.ops.random.candidate import all_candidate_sampler as all_candidate_sampler
from pullback.ops.random.candidate import compute_accidental_hits as compute_accidental_hits
from pullback.ops.random.candidate import fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler
from pullback.ops.random.candidate import learned_unigram_candidate_sampler as learned_unigram_candidate_sampler
from pullback.ops.reduce.composed import zero_fraction as zero_fraction
from pullback.ops.search.sort import in_top_k as in_top_k
from pullback.ops.search.sort import top_k as top_k
from pullback.ops.search.sort_approximate import approx_max_k as approx_max_k
from pullback.ops.search.sort_approximate import approx_min_k as approx_min_k
from pullback.ops.windows.dilation import dilation2d as dilation2d
from pullback.ops.windows.dilation import erosion2d as erosion2d
from pullback.tensorflow.ctc.functions import collapse_repeated as collapse_repeated
from pullback.tensorflow.ctc.functions import ctc_beam_search_decoder as ctc_beam_search_decoder
from pullback.tensorflow.ctc.functions import ctc_greedy_decoder as ctc_greedy_decoder
from pullback.tensorflow.ctc.functions import ctc_loss as ctc_loss
from pullback.tensorflow.ctc.functions import ctc_unique_labels as ctc_unique_labels
from pullback.tensorflow.losses.average import compute_average_loss as compute_average_loss
from pullback.tensorflow.losses.average import scale_regularization_loss as scale_regularization_loss
from pullback.tensorflow.rnn.wrappers import RNNCellDeviceWrapper as RNNCellDeviceWrapper
from pullback.tensorflow.rnn.wrappers import RNNCellDropoutWrapper as RNNCellDropoutWrapper
from pullback.tensorflow.rnn.wrappers import RNNCellResidualWrapper as RNNCellResidualWrapper

__all__ = [
    "RNNCellDeviceWrapper",
    "RNNCellDropoutWrapper",
    "RNNCellResidualWrapper",
    "all_candidate_sampler",
    "approx_max_k",
    "approx_min_k",
    "atrous_conv2d",
    "atrous_conv2d_transpose",
    "avg_pool",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "batch_norm_with_global_normalization",
    "batch_normalization",
    "bias_add",
    "collapse_repeated",
    "compute_accidental_hits",
    "compute_average_loss",
    "conv1d",
    "conv1d_transpose",
    "conv2d",
    "conv2d_transpose",
    "conv3d",
    "conv3d_transpose",
    "conv_transpose",
    "convolution",
    "crelu",
    "ctc_beam_search_decoder",
    "ctc_greedy_decoder",
    "ctc_loss",
    "ctc_unique_labels",
    "depth_to_space",
    "depthwise_conv2d",
    "depthwise_conv2d_backprop_filter",
    "depthwise_conv2d_backprop_input",
    "dilation2d",
    "dropout",
    "elu",
    "embedding_lookup",
    "embedding_lookup_sparse",
    "erosion2d",
    "experimental",
    "fixed_unigram_candidate_sampler",
    "fractional_avg_pool",
    "fractional_max_pool",
    "gelu",
    "in_top_k",
    "isotonic_regression",
    "l2_loss",
    "l2_normalize",
    "leaky_relu",
    "learned_unigram_candidate_sampler",
    "local_response_normalization",
    "log_poisson_loss",
    "log_softmax",
    "lrn",
    "max_pool",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "max_pool_with_argmax",
    "moments",
    "nce_loss",
    "normalize_moments",
    "pool",
    "relu",
    "relu6",
    "safe_embedding_lookup_sparse",
    "sampled_softmax_loss",
    "scale_regularization_loss",
    "selu",
    "separable_conv2d",
    "sigmoid",
    "sigmoid_cross_entropy_with_logits",
    "silu",
    "softmax",
    "softmax_cross_entropy_with_logits",
    "softplus",
    "softsign",
    "space_to_batch",
    "space_to_depth",
    "sparse_softmax_cross_entropy_with_logits",
    "sufficient_statistics",
    "swish",
    "tanh",
    "top_k",
    "weighted_cross_entropy_with_logits",
    "weighted_moments",
    "with_space_to_batch",
    "zero_fraction",
]
