"""Random functions of TensorFlow 1 whose names or arguments TensorFlow 2 changed."""

from __future__ import annotations

from typing import Any

from ...ops import random
from ...ops.random_seed import set_seed
from ...ops.random_stateless_draws import stateless_categorical

set_random_seed = set_seed
random_shuffle = random.shuffle
random_gamma = random.gamma


def multinomial(logits: Any, num_samples: Any, seed: Any = None, name: str | None = None, output_dtype: Any = None) -> Any:
    """`tf.random.categorical` of TensorFlow 2, with `output_dtype` for `dtype`."""
    return random.categorical(logits, num_samples, output_dtype, seed, name or "multinomial")


def stateless_multinomial(logits: Any, num_samples: Any, seed: Any, output_dtype: Any = "int64", name: str | None = None) -> Any:
    """`tf.random.stateless_categorical` of TensorFlow 2, with `output_dtype` for `dtype`."""
    return stateless_categorical(logits, num_samples, seed, output_dtype, name)
