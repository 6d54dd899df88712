"""The names of `tf.nn`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

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

__getattr__ = _missing("tf.nn", __all__, __name__)

if TYPE_CHECKING:
    from ....nn.activations import crelu, gelu, log_softmax, silu, softmax, swish
    from ....nn.average_loss import compute_average_loss, scale_regularization_loss
    from ....nn.convolution import atrous_conv2d, conv1d, conv2d, conv2d_transpose, convolution, depthwise_conv2d, separable_conv2d
    from ....nn.convolution_transposes import (
        atrous_conv2d_transpose,
        conv1d_transpose,
        conv_transpose,
        depthwise_conv2d_backprop_filter,
        depthwise_conv2d_backprop_input,
    )
    from ....nn.ctc import collapse_repeated, ctc_beam_search_decoder, ctc_greedy_decoder, ctc_loss, ctc_unique_labels
    from ....nn.dropout import dropout
    from ....nn.embedding import embedding_lookup
    from ....nn.embedding_sparse import embedding_lookup_sparse, safe_embedding_lookup_sparse
    from ....nn.losses import (
        log_poisson_loss,
        sigmoid_cross_entropy_with_logits,
        softmax_cross_entropy_with_logits,
        sparse_softmax_cross_entropy_with_logits,
        weighted_cross_entropy_with_logits,
    )
    from ....nn.normalization import (
        batch_norm_with_global_normalization,
        batch_normalization,
        l2_normalize,
        moments,
        normalize_moments,
        sufficient_statistics,
        weighted_moments,
    )
    from ....nn.pooling import avg_pool, avg_pool1d, avg_pool2d, max_pool, max_pool1d, max_pool2d, pool
    from ....nn.pooling_more import fractional_avg_pool, fractional_max_pool, max_pool_with_argmax
    from ....nn.rnn_wrappers import RNNCellDeviceWrapper, RNNCellDropoutWrapper, RNNCellResidualWrapper
    from ....nn.sampling import nce_loss, sampled_softmax_loss
    from ....nn.space_to_batch import with_space_to_batch
    from ....nn.volumes import avg_pool3d, conv3d, conv3d_transpose, max_pool3d
    from ....ops.array.blocks import depth_to_space, space_to_batch, space_to_depth
    from ....ops.math.functions import sigmoid, tanh
    from ....ops.nn.activations import elu, leaky_relu, relu, relu6, selu, softplus, softsign
    from ....ops.nn.bias import bias_add, l2_loss
    from ....ops.nn.isotonic import isotonic_regression
    from ....ops.nn.lrn import local_response_normalization, lrn
    from ....ops.random.candidate import (
        all_candidate_sampler,
        compute_accidental_hits,
        fixed_unigram_candidate_sampler,
        learned_unigram_candidate_sampler,
    )
    from ....ops.reduce.composed import zero_fraction
    from ....ops.search.sort import in_top_k, top_k
    from ....ops.search.sort_approximate import approx_max_k, approx_min_k
    from ....ops.windows.dilation import dilation2d, erosion2d
    from . import experimental
