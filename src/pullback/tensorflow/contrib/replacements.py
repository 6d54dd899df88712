"""Where to find what is not here of TensorFlow 1's `tf.contrib`, and what names of TensorFlow before 1.0 became."""

from __future__ import annotations

#: What took the place of parts of `tf.contrib`, by their first names; the longest that fits counts.
REPLACEMENTS = {
    "all_reduce": "nothing: there is one device",
    "autograph": "tf.autograph",
    "bayesflow": "TensorFlow Probability",
    "boosted_trees": "TensorFlow Decision Forests",
    "checkpoint": "tf.train.Checkpoint",
    "cluster_resolver": "nothing: there is one device",
    "constrained_optimization": "the package tensorflow-constrained-optimization",
    "cudnn_rnn": "tf.contrib.rnn.LSTMBlockCell in tf.nn.dynamic_rnn, or tf.keras.layers.LSTM and GRU",
    "data": "tf.data, and tf.data.experimental",
    "distribute": "tf.distribute, of one device",
    "distributions": "tf.distributions for what is here of it, TensorFlow Probability's tfp.distributions for the rest",
    "eager.Network": "tf.keras.Model",
    "eager.Saver": "tf.train.Checkpoint",
    "eager.Sequential": "tf.keras.Sequential",
    "estimator": "a tf.Session and a loop, or tf.keras.Model.fit",
    "factorization": "tf.linalg.svd, or a loop of tf.linalg.lstsq",
    "feature_column": "tf.keras.layers: CategoryEncoding, Discretization, Embedding, StringLookup",
    "ffmpeg": "the package tensorflow-io",
    "framework.python_io": "tf.io",
    "gan": "the package tf-gan, or a loss for each of the two networks",
    "graph_editor": "tf.function, and tf.recompute_grad for what gradients-checkpointing used it for",
    "hooks": "a tf.Session and a loop",
    "image": "tf.image, and the package tensorflow-addons",
    "integrate": "a tf.while_loop of steps, or TensorFlow Probability's tfp.math.ode",
    "keras": "tf.keras",
    "kfac": "the package kfac",
    "labeled_tensor": "tensors and their axes by number",
    "layers.bucketized_column": "tf.keras.layers.Discretization",
    "layers.embedding_column": "tf.keras.layers.Embedding",
    "layers.legacy_fully_connected": "tf.contrib.layers.fully_connected",
    "layers.real_valued_column": "the numbers themselves",
    "layers.summarize": "tf.summary.histogram of each variable",
    "layers.xavier": "tf.contrib.layers.xavier_initializer",
    "learn": "tf.keras.Model.fit, or a tf.Session and a loop",
    "linalg": "tf.linalg",
    "linear_optimizer": "tf.keras.Model.fit, or pullback.optimize",
    "lite": "nothing: TensorFlow Lite is for other machines",
    "lookup": "tf.lookup",
    "memory_stats": "nothing: memory is the process's",
    "metrics": "tf.metrics, whose functions take labels before predictions",
    "mixed_precision": "tf.keras.mixed_precision",
    "model_pruning": "the package tensorflow-model-optimization",
    "opt.AdamWOptimizer": "tf.keras.optimizers.AdamW",
    "opt.LazyAdamOptimizer": "tfa.optimizers.LazyAdam of TensorFlow Addons; tf.train.AdamOptimizer moves the other rows too",
    "opt.NadamOptimizer": "tf.keras.optimizers.Nadam",
    "predictor": "a tf.Session and a feed",
    "quantize": "tf.quantization.fake_quant_with_min_max_vars",
    "resampler": "tfa.image.resampler of TensorFlow Addons, which gathers four neighbours of each point",
    "rnn.AttentionCellWrapper": "tf.contrib.seq2seq.AttentionWrapper",
    "rnn.FusedRNNCell": "tf.nn.dynamic_rnn",
    "rnn.LSTMBlockFusedCell": "tf.contrib.rnn.LSTMBlockCell in tf.nn.dynamic_rnn",
    "seq2seq.attention_decoder_fn": "tf.contrib.seq2seq.AttentionWrapper in a BasicDecoder",
    "seq2seq.dynamic_rnn_decoder": "tf.contrib.seq2seq.dynamic_decode",
    "seq2seq.prepare_attention": "tf.contrib.seq2seq.BahdanauAttention and LuongAttention",
    "seq2seq.simple_decoder_fn": "tf.contrib.seq2seq.BasicDecoder with a TrainingHelper or GreedyEmbeddingHelper",
    "session_bundle": "tf.train.Saver",
    "signal": "tf.signal",
    "slim.dataset": "tf.data",
    "slim.evaluation": "a tf.Session and a loop over the data",
    "slim.nets": "the networks of the package tf-slim, which are made of the layers that are here",
    "slim.queues": "tf.data",
    "slim.tfexample_decoder": "tf.io.parse_single_example",
    "solvers": "tf.linalg, and tf.linalg.experimental.conjugate_gradient",
    "sparsemax": "tfa.activations.sparsemax of TensorFlow Addons",
    "staging": "tf.data's prefetch",
    "stateless": "tf.random.stateless_uniform and its kind",
    "stat_summarizer": "pullback's profile of a function",
    "summary": "tf.compat.v2.summary",
    "tensor_forest": "TensorFlow Decision Forests",
    "tensorboard": "the package tensorboard",
    "tensorrt": "nothing: it is for other machines",
    "testing": "pytest, and numpy.testing.assert_allclose",
    "text": "the package tensorflow-text",
    "timeseries": "TensorFlow Probability's tfp.sts",
    "tpu": "nothing: it is for other machines",
    "training.batch_sequences_with_states": "tf.data",
    "training.bucket": "tf.data's bucket_by_sequence_length",
    "training.stratified_sample": "tf.data's rejection_resample",
    "training.train": "tf.contrib.slim.learning.train",
    "util": "tf.io and tf.make_ndarray's kind of the Python packages",
}

#: Names of TensorFlow before 1.0.
RENAMED = {
    "tf.all_candidate_sampler": "tf.nn.all_candidate_sampler",
    "tf.audio_summary": "tf.summary.audio",
    "tf.batch_cholesky": "tf.linalg.cholesky",
    "tf.batch_fft": "tf.signal.fft",
    "tf.batch_ifft": "tf.signal.ifft",
    "tf.batch_matmul": "tf.matmul",
    "tf.batch_matrix_determinant": "tf.linalg.det",
    "tf.batch_matrix_diag": "tf.linalg.diag",
    "tf.batch_matrix_inverse": "tf.linalg.inv",
    "tf.batch_matrix_solve": "tf.linalg.solve",
    "tf.batch_self_adjoint_eig": "tf.linalg.eigh",
    "tf.batch_svd": "tf.linalg.svd",
    "tf.complex_abs": "tf.abs",
    "tf.concat_v2": "tf.concat",
    "tf.contrib.deprecated": "tf.summary",
    "tf.histogram_summary": "tf.summary.histogram",
    "tf.image_summary": "tf.summary.image",
    "tf.inv": "tf.reciprocal",
    "tf.listdiff": "tf.setdiff1d",
    "tf.merge_all_summaries": "tf.summary.merge_all",
    "tf.merge_summary": "tf.summary.merge",
    "tf.mul": "tf.multiply",
    "tf.neg": "tf.negative",
    "tf.nn.bidirectional_rnn": "tf.nn.static_bidirectional_rnn",
    "tf.nn.rnn": "tf.nn.static_rnn",
    "tf.nn.seq2seq": "tf.contrib.legacy_seq2seq",
    "tf.nn.state_saving_rnn": "tf.nn.static_state_saving_rnn",
    "tf.op_scope": "tf.name_scope(name, default_name, values)",
    "tf.pack": "tf.stack",
    "tf.scalar_summary": "tf.summary.scalar",
    "tf.select": "tf.where",
    "tf.sub": "tf.subtract",
    "tf.train.SummaryWriter": "tf.summary.FileWriter",
    "tf.unpack": "tf.unstack",
}


def replacement(path: str) -> str | None:
    """What took the place of `tf.contrib.<path>`, or of the part of it that this is in.

    >>> replacement("image.rotate"), replacement("layers.conv4d")
    ('tf.image, and the package tensorflow-addons', None)
    """
    found = [part for part in REPLACEMENTS if path == part or path.startswith((part + ".", part + "_"))]
    return REPLACEMENTS[max(found, key=len)] if found else None


def find_new_name(path: str) -> str | None:
    """What a name of TensorFlow before 1.0 became.

    >>> find_new_name("tf.mul")
    'tf.multiply'
    """
    return RENAMED.get(path)
