"""Times input pipelines in TensorFlow or in Pullback: one line of JSON for each line that is read, the number of a round.

python benchmarks/workers/pipelines.py pullback|tensorflow
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np


def pipelines(tf: Any) -> dict[str, tuple[Any, int]]:
    """By name a dataset and how many elements its source has."""
    of = tf.data.Dataset
    images = np.random.default_rng(0).integers(0, 256, (2048, 64, 64, 3)).astype(np.uint8)
    labels = np.arange(2048)
    rows = np.random.default_rng(1).normal(size=(20_000, 16)).astype(np.float32)

    def scaled(image: Any, label: Any) -> Any:
        image = tf.cast(image, tf.float32) / 127.5 - 1.0
        return tf.reverse(image, [1]) * 0.9, label

    return {
        "images: map, batch, prefetch": (
            of.from_tensor_slices((images, labels)).map(scaled, num_parallel_calls=tf.data.AUTOTUNE).batch(64).prefetch(tf.data.AUTOTUNE),
            2048,
        ),
        "images: shuffle, batch, prefetch": (of.from_tensor_slices((images, labels)).shuffle(1024).batch(64).prefetch(2), 2048),
        "rows: batch": (of.from_tensor_slices(rows).batch(128), 20_000),
        "rows: shuffle, map, batch, prefetch": (
            of.from_tensor_slices(rows).shuffle(1000).map(lambda x: x * 2.0 + 1.0).batch(128).prefetch(tf.data.AUTOTUNE),
            20_000,
        ),
        "batches: map, prefetch": (of.from_tensor_slices(rows).batch(128).map(lambda x: tf.tanh(x) * 2.0).prefetch(2), 20_000),
        "numbers: filter, map": (of.range(20_000).filter(lambda i: i % 2 == 0).map(lambda i: i * i), 20_000),
    }


def seconds(dataset: Any) -> float:
    """How long it takes to go through a dataset."""
    begin = time.perf_counter()
    for element in dataset:
        del element
    return time.perf_counter() - begin


def main() -> None:
    """Answer each line with the microseconds an element takes, by pipeline."""
    made = pipelines(importlib.import_module(sys.argv[1]))
    run: Callable[[Any], float] = seconds
    for dataset, _ in made.values():
        run(dataset)
    for _ in sys.stdin:
        print(json.dumps({name: 1e6 * run(dataset) / count for name, (dataset, count) in made.items()}), flush=True)


if __name__ == "__main__":
    main()
