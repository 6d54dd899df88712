"""The names of `pullback.compat.v1.nn`, written by docs/make_exports.py."""

from pullback.compat.v1.nn import experimental as experimental
from pullback.compat.v1.nn import rnn_cell as rnn_cell
from pullback.nn.activations import relu_layer as relu_layer
from pullback.nn.activations import silu as silu
from pullback.nn.activations import silu as swish
from pullback.nn.activations import xw_plus_b as xw_plus_b
from pullback.nn.convolution import atrous_conv2d as atrous_conv2d
from pullback.nn.convolution_transposes import atrous_conv2d_transpose as atrous_conv2d_transpose
from pullback.nn.convolution_transposes import conv1d_transpose as conv1d_transpose
from pullback.nn.convolution_transposes import conv_transpose as conv_transpose
from pullback.nn.convolution_transposes import depthwise_conv2d_backprop_filter as depthwise_conv2d_backprop_filter
from pullback.nn.convolution_transposes import depthwise_conv2d_backprop_filter as depthwise_conv2d_native_backprop_filter
from pullback.nn.convolution_transposes import depthwise_conv2d_backprop_input as depthwise_conv2d_backprop_input
from pullback.nn.convolution_transposes import depthwise_conv2d_backprop_input as depthwise_conv2d_native_backprop_input
from pullback.nn.fused_normalization import fused_batch_norm as fused_batch_norm
from pullback.nn.losses import log_poisson_loss as log_poisson_loss
from pullback.nn.normalization import batch_normalization as batch_normalization
from pullback.nn.normalization import l2_normalize as l2_normalize
from pullback.nn.normalization import normalize_moments as normalize_moments
from pullback.nn.pooling import avg_pool as avg_pool_v2
from pullback.nn.pooling import avg_pool1d as avg_pool1d
from pullback.nn.pooling import max_pool1d as max_pool1d
from pullback.nn.pooling import max_pool2d as max_pool2d
from pullback.nn.sampling import nce_loss_by as nce_loss
from pullback.nn.sampling import sampled_softmax_loss_by as sampled_softmax_loss
from pullback.nn.space_to_batch import with_space_to_batch as with_space_to_batch
from pullback.nn.volumes import avg_pool3d as avg_pool3d
from pullback.nn.volumes import max_pool3d as max_pool3d
from pullback.ops.math.functions import sigmoid as sigmoid
from pullback.ops.math.functions import tanh as tanh
from pullback.ops.nn.activations import elu as elu
from pullback.ops.nn.activations import leaky_relu as leaky_relu
from pullback.ops.nn.activations import relu as relu
from pullback.ops.nn.activations import relu6 as relu6
from pullback.ops.nn.activations import selu as selu
from pullback.ops.nn.bias import bias_add as bias_add
from pullback.ops.nn.bias import l2_loss as l2_loss
from pullback.ops.nn.lrn import local_response_normalization as local_response_normalization
from pullback.ops.nn.lrn import local_response_normalization as lrn
from pullback.ops.nn.softplus import softplus as softplus
from pullback.ops.nn.softplus import softsign as softsign
from pullback.ops.random.candidate import all_candidate_sampler as all_candidate_sampler
from pullback.ops.random.candidate import compute_accidental_hits as compute_accidental_hits
from pullback.ops.random.candidate import fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler
from pullback.ops.random.candidate import learned_unigram_candidate_sampler as learned_unigram_candidate_sampler
from pullback.ops.random.candidate import log_uniform_candidate_sampler as log_uniform_candidate_sampler
from pullback.ops.random.candidate import uniform_candidate_sampler as uniform_candidate_sampler
from pullback.ops.reduce.composed import zero_fraction as zero_fraction
from pullback.ops.search.sort import top_k as top_k
from pullback.ops.search.sort_approximate import approx_max_k as approx_max_k
from pullback.ops.search.sort_approximate import approx_min_k as approx_min_k
from pullback.tensorflow.ctc.functions import collapse_repeated as collapse_repeated
from pullback.tensorflow.ctc.functions import ctc_beam_search_decoder as ctc_beam_search_decoder_v2
from pullback.tensorflow.ctc.functions import ctc_greedy_decoder as ctc_greedy_decoder
from pullback.tensorflow.ctc.functions import ctc_loss as ctc_loss_v2
from pullback.tensorflow.ctc.functions import ctc_unique_labels as ctc_unique_labels
from pullback.tensorflow.legacy.array import depth_to_space as depth_to_space
from pullback.tensorflow.legacy.array import space_to_batch as space_to_batch
from pullback.tensorflow.legacy.array import space_to_depth as space_to_depth
from pullback.tensorflow.legacy.ctc import ctc_beam_search_decoder as ctc_beam_search_decoder
from pullback.tensorflow.legacy.ctc import ctc_loss as ctc_loss
from pullback.tensorflow.legacy.image import dilation2d as dilation2d
from pullback.tensorflow.legacy.image import erosion2d as erosion2d
from pullback.tensorflow.legacy.nn import avg_pool as avg_pool
from pullback.tensorflow.legacy.nn import avg_pool as avg_pool2d
from pullback.tensorflow.legacy.nn import batch_norm_with_global_normalization as batch_norm_with_global_normalization
from pullback.tensorflow.legacy.nn import crelu as crelu
from pullback.tensorflow.legacy.nn import dropout as dropout
from pullback.tensorflow.legacy.nn import embedding_lookup as embedding_lookup
from pullback.tensorflow.legacy.nn import log_softmax as log_softmax
from pullback.tensorflow.legacy.nn import max_pool as max_pool
from pullback.tensorflow.legacy.nn import max_pool_v2 as max_pool_v2
from pullback.tensorflow.legacy.nn import moments as moments
from pullback.tensorflow.legacy.nn import pool as pool
from pullback.tensorflow.legacy.nn import sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits
from pullback.tensorflow.legacy.nn import softmax as softmax
from pullback.tensorflow.legacy.nn import softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits
from pullback.tensorflow.legacy.nn import softmax_cross_entropy_with_logits_v2 as softmax_cross_entropy_with_logits_v2
from pullback.tensorflow.legacy.nn import sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits
from pullback.tensorflow.legacy.nn import sufficient_statistics as sufficient_statistics
from pullback.tensorflow.legacy.nn import weighted_cross_entropy_with_logits as weighted_cross_entropy_with_logits
from pullback.tensorflow.legacy.nn import weighted_moments as weighted_moments
from pullback.tensorflow.legacy.nn_convolutions import conv1d as conv1d
from pullback.tensorflow.legacy.nn_convolutions import conv2d as conv2d
from pullback.tensorflow.legacy.nn_convolutions import conv2d_backprop_filter as conv2d_backprop_filter
from pullback.tensorflow.legacy.nn_convolutions import conv2d_backprop_input as conv2d_backprop_input
from pullback.tensorflow.legacy.nn_convolutions import conv2d_transpose as conv2d_transpose
from pullback.tensorflow.legacy.nn_convolutions import convolution as convolution
from pullback.tensorflow.legacy.nn_convolutions import depthwise_conv2d as depthwise_conv2d
from pullback.tensorflow.legacy.nn_convolutions import depthwise_conv2d_native as depthwise_conv2d_native
from pullback.tensorflow.legacy.nn_convolutions import separable_conv2d as separable_conv2d
from pullback.tensorflow.legacy.nn_volumes import conv3d as conv3d
from pullback.tensorflow.legacy.nn_volumes import conv3d_backprop_filter as conv3d_backprop_filter
from pullback.tensorflow.legacy.nn_volumes import conv3d_backprop_filter as conv3d_backprop_filter_v2
from pullback.tensorflow.legacy.nn_volumes import conv3d_transpose as conv3d_transpose
from pullback.tensorflow.legacy.nn_volumes import fractional_avg_pool as fractional_avg_pool
from pullback.tensorflow.legacy.nn_volumes import fractional_max_pool as fractional_max_pool
from pullback.tensorflow.legacy.nn_volumes import max_pool_with_argmax as max_pool_with_argmax
from pullback.tensorflow.legacy.reduce import in_top_k as in_top_k
from pullback.tensorflow.legacy.sparse import embedding_lookup_sparse as embedding_lookup_sparse
from pullback.tensorflow.legacy.sparse import safe_embedding_lookup_sparse as safe_embedding_lookup_sparse
from pullback.tensorflow.losses.average import compute_average_loss as compute_average_loss
from pullback.tensorflow.losses.average import scale_regularization_loss as scale_regularization_loss
from pullback.tensorflow.quantization.arithmetic import quantized_avg_pool as quantized_avg_pool
from pullback.tensorflow.quantization.arithmetic import quantized_conv2d as quantized_conv2d
from pullback.tensorflow.quantization.arithmetic import quantized_max_pool as quantized_max_pool
from pullback.tensorflow.quantization.arithmetic import quantized_relu_x as quantized_relu_x
from pullback.tensorflow.rnn.loops import bidirectional_dynamic_rnn as bidirectional_dynamic_rnn
from pullback.tensorflow.rnn.loops import dynamic_rnn as dynamic_rnn
from pullback.tensorflow.rnn.loops import raw_rnn as raw_rnn
from pullback.tensorflow.rnn.loops import static_bidirectional_rnn as static_bidirectional_rnn
from pullback.tensorflow.rnn.loops import static_rnn as static_rnn
from pullback.tensorflow.rnn.loops import static_state_saving_rnn as static_state_saving_rnn

__all__ = [
    "all_candidate_sampler",
    "approx_max_k",
    "approx_min_k",
    "atrous_conv2d",
    "atrous_conv2d_transpose",
    "avg_pool",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "avg_pool_v2",
    "batch_norm_with_global_normalization",
    "batch_normalization",
    "bias_add",
    "bidirectional_dynamic_rnn",
    "collapse_repeated",
    "compute_accidental_hits",
    "compute_average_loss",
    "conv1d",
    "conv1d_transpose",
    "conv2d",
    "conv2d_backprop_filter",
    "conv2d_backprop_input",
    "conv2d_transpose",
    "conv3d",
    "conv3d_backprop_filter",
    "conv3d_backprop_filter_v2",
    "conv3d_transpose",
    "conv_transpose",
    "convolution",
    "crelu",
    "ctc_beam_search_decoder",
    "ctc_beam_search_decoder_v2",
    "ctc_greedy_decoder",
    "ctc_loss",
    "ctc_loss_v2",
    "ctc_unique_labels",
    "depth_to_space",
    "depthwise_conv2d",
    "depthwise_conv2d_backprop_filter",
    "depthwise_conv2d_backprop_input",
    "depthwise_conv2d_native",
    "depthwise_conv2d_native_backprop_filter",
    "depthwise_conv2d_native_backprop_input",
    "dilation2d",
    "dropout",
    "dynamic_rnn",
    "elu",
    "embedding_lookup",
    "embedding_lookup_sparse",
    "erosion2d",
    "experimental",
    "fixed_unigram_candidate_sampler",
    "fractional_avg_pool",
    "fractional_max_pool",
    "fused_batch_norm",
    "in_top_k",
    "l2_loss",
    "l2_normalize",
    "leaky_relu",
    "learned_unigram_candidate_sampler",
    "local_response_normalization",
    "log_poisson_loss",
    "log_softmax",
    "log_uniform_candidate_sampler",
    "lrn",
    "max_pool",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "max_pool_v2",
    "max_pool_with_argmax",
    "moments",
    "nce_loss",
    "normalize_moments",
    "pool",
    "quantized_avg_pool",
    "quantized_conv2d",
    "quantized_max_pool",
    "quantized_relu_x",
    "raw_rnn",
    "relu",
    "relu6",
    "relu_layer",
    "rnn_cell",
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
    "softmax_cross_entropy_with_logits_v2",
    "softplus",
    "softsign",
    "space_to_batch",
    "space_to_depth",
    "sparse_softmax_cross_entropy_with_logits",
    "static_bidirectional_rnn",
    "static_rnn",
    "static_state_saving_rnn",
    "sufficient_statistics",
    "swish",
    "tanh",
    "top_k",
    "uniform_candidate_sampler",
    "weighted_cross_entropy_with_logits",
    "weighted_moments",
    "with_space_to_batch",
    "xw_plus_b",
    "zero_fraction",
]
