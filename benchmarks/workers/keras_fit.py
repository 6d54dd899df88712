"""A worker of `python -m benchmarks fit`: it says when it is ready, and each line it reads has it fit the models once more;
it answers with the milliseconds a step.

    python keras_fit.py pullback|tensorflow|jax
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from typing import Any

import numpy as np


def load_keras(name: str) -> Any:
    """Keras on a library."""
    os.environ["KERAS_BACKEND"] = "jax" if name == "jax" else "tensorflow"
    if name == "pullback":
        importlib.import_module("pullback").serve_tensorflow()
    return importlib.import_module("keras")


keras = load_keras(sys.argv[1])
BATCH, STEPS = 64, 30
#: Seconds that each model is trained after its first epoch before steps are measured.
WARM = 2.0


def convnet() -> tuple[Any, Any, Any]:
    """A classifier of images of 28 by 28 points, and what it learns from."""
    model = keras.Sequential(
        [
            keras.layers.Input((28, 28, 1)),
            keras.layers.Conv2D(32, 3, activation="relu"),
            keras.layers.MaxPooling2D(),
            keras.layers.Conv2D(64, 3, activation="relu"),
            keras.layers.MaxPooling2D(),
            keras.layers.Flatten(),
            keras.layers.Dropout(0.5),
            keras.layers.Dense(10, activation="softmax"),
        ]
    )
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    draw = np.random.default_rng(0)
    return model, draw.random((BATCH * STEPS, 28, 28, 1), np.float32), draw.integers(0, 10, BATCH * STEPS)


def lstm() -> tuple[Any, Any, Any]:
    """A classifier of sequences of 40 words out of 2,000, and what it learns from."""
    model = keras.Sequential(
        [
            keras.layers.Input((40,), dtype="int32"),
            keras.layers.Embedding(2000, 32),
            keras.layers.LSTM(32),
            keras.layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    draw = np.random.default_rng(0)
    return model, draw.integers(0, 2000, (BATCH * STEPS, 40)).astype(np.int32), draw.integers(0, 2, BATCH * STEPS)


def perceptron() -> tuple[Any, Any, Any]:
    """A small network of dense layers: what a step costs beside its arithmetic."""
    model = keras.Sequential([keras.layers.Input((20,)), keras.layers.Dense(64, activation="relu"), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    draw = np.random.default_rng(0)
    return model, draw.random((BATCH * STEPS, 20), np.float32), draw.random((BATCH * STEPS, 1), np.float32)


def fit(model: Any, x: Any, y: Any) -> float:
    """The seconds of an epoch."""
    began = time.perf_counter()
    model.fit(x, y, batch_size=BATCH, epochs=1, verbose=0, shuffle=False)
    return time.perf_counter() - began


def main() -> None:
    """Make the models, and fit them whenever a line comes."""
    keras.utils.set_random_seed(0)
    models = {build.__name__: build() for build in (convnet, lstm, perceptron)}
    print("ready", flush=True)
    first = True
    for _ in sys.stdin:
        seconds = {name: fit(*model) for name, model in models.items()}
        kind = "first epoch, s" if first else "step, ms"
        unit = 1.0 if first else 1e3 / STEPS
        if first:
            for model in models.values():
                end = time.perf_counter() + WARM
                while time.perf_counter() < end:
                    fit(*model)
        print(json.dumps({f"{name}: {kind}": value * unit for name, value in seconds.items()}), flush=True)
        first = False


if __name__ == "__main__":
    main()
