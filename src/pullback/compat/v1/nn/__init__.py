"""The names of `tf.compat.v1.nn`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

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

__getattr__ = _missing("tf1.nn", __all__, __name__)

if TYPE_CHECKING:
    from ....compat.legacy.array import depth_to_space, space_to_batch, space_to_depth
    from ....compat.legacy.ctc import ctc_beam_search_decoder, ctc_loss
    from ....compat.legacy.image import dilation2d, erosion2d
    from ....compat.legacy.nn import (
        avg_pool,
        avg_pool2d,
        batch_norm_with_global_normalization,
        conv1d,
        conv2d,
        conv2d_backprop_filter,
        conv2d_backprop_input,
        conv2d_transpose,
        convolution,
        crelu,
        depthwise_conv2d,
        depthwise_conv2d_native,
        dropout,
        embedding_lookup,
        l2_normalize,
        log_softmax,
        max_pool,
        max_pool_v2,
        moments,
        pool,
        separable_conv2d,
        sigmoid_cross_entropy_with_logits,
        softmax,
        softmax_cross_entropy_with_logits,
        softmax_cross_entropy_with_logits_v2,
        sparse_softmax_cross_entropy_with_logits,
        sufficient_statistics,
        weighted_cross_entropy_with_logits,
        weighted_moments,
    )
    from ....compat.legacy.nn_volumes import (
        conv3d,
        conv3d_backprop_filter,
        conv3d_transpose,
        fractional_avg_pool,
        fractional_max_pool,
        max_pool_with_argmax,
    )
    from ....compat.legacy.nn_volumes import (
        conv3d_backprop_filter as conv3d_backprop_filter_v2,
    )
    from ....compat.legacy.reduce import in_top_k
    from ....compat.legacy.sparse import embedding_lookup_sparse, safe_embedding_lookup_sparse
    from ....nn.activations import relu_layer, silu, swish, xw_plus_b
    from ....nn.average_loss import compute_average_loss, scale_regularization_loss
    from ....nn.convolution import atrous_conv2d
    from ....nn.convolution_transposes import (
        atrous_conv2d_transpose,
        conv1d_transpose,
        conv_transpose,
        depthwise_conv2d_backprop_filter,
        depthwise_conv2d_backprop_input,
    )
    from ....nn.convolution_transposes import (
        depthwise_conv2d_backprop_filter as depthwise_conv2d_native_backprop_filter,
    )
    from ....nn.convolution_transposes import (
        depthwise_conv2d_backprop_input as depthwise_conv2d_native_backprop_input,
    )
    from ....nn.ctc import (
        collapse_repeated,
        ctc_greedy_decoder,
        ctc_unique_labels,
    )
    from ....nn.ctc import (
        ctc_beam_search_decoder as ctc_beam_search_decoder_v2,
    )
    from ....nn.ctc import (
        ctc_loss as ctc_loss_v2,
    )
    from ....nn.losses import log_poisson_loss
    from ....nn.normalization import batch_normalization, fused_batch_norm, normalize_moments
    from ....nn.pooling import avg_pool as avg_pool_v2
    from ....nn.pooling import avg_pool1d, max_pool1d, max_pool2d
    from ....nn.quantized import quantized_avg_pool, quantized_conv2d, quantized_max_pool, quantized_relu_x
    from ....nn.rnn import bidirectional_dynamic_rnn, dynamic_rnn, raw_rnn, static_bidirectional_rnn, static_rnn, static_state_saving_rnn
    from ....nn.sampling import nce_loss_by as nce_loss
    from ....nn.sampling import sampled_softmax_loss_by as sampled_softmax_loss
    from ....nn.space_to_batch import with_space_to_batch
    from ....nn.volumes import avg_pool3d, max_pool3d
    from ....ops.math.functions import sigmoid, tanh
    from ....ops.nn.activations import elu, leaky_relu, relu, relu6, selu, softplus, softsign
    from ....ops.nn.bias import bias_add, l2_loss
    from ....ops.nn.lrn import local_response_normalization, lrn
    from ....ops.random.candidate import (
        all_candidate_sampler,
        compute_accidental_hits,
        fixed_unigram_candidate_sampler,
        learned_unigram_candidate_sampler,
        log_uniform_candidate_sampler,
        uniform_candidate_sampler,
    )
    from ....ops.reduce.composed import zero_fraction
    from ....ops.search.sort import top_k
    from ....ops.search.sort_approximate import approx_max_k, approx_min_k
    from . import experimental, rnn_cell
