"""Keras 3's further optimizers: trajectories by dense and sparse gradients, in functions, state, arguments, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, raises
from tests.golden.programs.optimizers_keras import Make, _dense, _sparse, _values

FACE = "v2"

OPTIMIZERS: dict[str, Make] = {
    "adamw": lambda k: k.AdamW(0.1),
    "adamw, default": lambda k: k.AdamW(),
    "adamw, amsgrad": lambda k: k.AdamW(0.1, weight_decay=0.2, beta_1=0.7, amsgrad=True),
    "adamax": lambda k: k.Adamax(0.1),
    "adamax, default": lambda k: k.Adamax(),
    "adamax, own betas": lambda k: k.Adamax(0.05, beta_1=0.7, beta_2=0.9, epsilon=0.1, weight_decay=0.1),
    "nadam": lambda k: k.Nadam(0.1),
    "nadam, default": lambda k: k.Nadam(),
    "nadam, own betas": lambda k: k.Nadam(0.05, beta_1=0.7, beta_2=0.9, epsilon=0.1, clipnorm=0.5),
    "lion": lambda k: k.Lion(0.1),
    "lion, own betas": lambda k: k.Lion(0.05, beta_1=0.5, beta_2=0.7, weight_decay=0.1),
    "lamb": lambda k: k.Lamb(0.1),
    "lamb, own betas": lambda k: k.Lamb(0.05, beta_1=0.7, beta_2=0.9, epsilon=0.1),
    "adafactor": lambda k: k.Adafactor(0.1),
    "adafactor, default": lambda k: k.Adafactor(),
    "adafactor, own": lambda k: k.Adafactor(
        0.9, beta_2_decay=-0.5, epsilon_1=1e-3, epsilon_2=0.1, clip_threshold=0.5, relative_step=False
    ),
    "adafactor, schedule": lambda k: k.Adafactor(k.schedules.ExponentialDecay(0.5, 1, 0.5)),
    "muon": lambda k: k.Muon(0.1),
    "muon, no names": lambda k: k.Muon(0.1, exclude_embeddings=False),
    "muon, own": lambda k: k.Muon(
        0.1, exclude_embeddings=False, adam_beta_1=0.7, adam_weight_decay=None, weight_decay=0.2, momentum=0.5, nesterov=False,
        rms_rate=None, ns_steps=2, adam_lr_ratio=0.5,
    ),
    "schedule free": lambda k: k.ScheduleFreeAdamW(0.1),
    "schedule free, own": lambda k: k.ScheduleFreeAdamW(0.05, beta_1=0.7, beta_2=0.9, epsilon=0.1, warmup_steps=3, weight_decay=0.1),
    "nadam, average": lambda k: k.Nadam(0.1, use_ema=True, ema_momentum=0.9),
    "lamb, accumulation": lambda k: k.Lamb(0.1, gradient_accumulation_steps=2),
}


def _path(tf: Any, name: str, dtype: str = "float32") -> Any:
    """As `_dense`; of Adafactor without its own variables, for Keras makes two that hold nothing for each vector."""
    path = _dense(tf, OPTIMIZERS[name], dtype)
    return [step[:2] for step in path] if name.startswith("adafactor") else path


def dense_paths(tf: Any) -> Answers:
    """Four steps from gradients of vectors and scalars."""
    return {name: lambda name=name: _path(tf, name) for name in OPTIMIZERS}


def dense_paths_float64(tf: Any) -> Answers:
    """The same in float64."""
    names = ["adamw", "adamax", "nadam", "lion", "lamb", "adafactor", "muon", "schedule free, own"]
    return {name: lambda name=name: _path(tf, name, "float64") for name in names}


def sparse_paths(tf: Any) -> Answers:
    """Gradients of some rows of a matrix."""
    names = ["adamw", "adamax", "lion", "lamb"]
    return {name: lambda make=OPTIMIZERS[name]: _sparse(tf, make, [[3, 0], [1], [4, 3, 2]]) for name in names}


def matrices(tf: Any) -> Answers:
    """Variables of rank 2 and 3, whose squares Adafactor keeps by rows and columns, and of zeros."""

    def path(make: Make) -> Any:
        shapes = [(2, 3), (2, 2, 3), (4,)]
        variables = [tf.Variable(np.linspace(-1, 1, int(np.prod(s)), dtype=np.float32).reshape(s)) for s in shapes]
        variables.append(tf.Variable(np.zeros((2, 2), np.float32)))
        optimizer = make(tf.keras.optimizers)
        for k in range(3):
            optimizer.apply([tf.constant(np.cos(np.arange(v.numpy().size) + k).reshape(v.shape).astype("f")) for v in variables], variables)
        return _values(variables)

    return {name: lambda make=OPTIMIZERS[name]: path(make) for name in ("adafactor", "adafactor, own", "lamb", "nadam", "lion", "muon, no names", "muon, own")}


def in_functions(tf: Any) -> Answers:
    """Steps inside `tf.function`."""

    def path(make: Make) -> Any:
        v, optimizer = tf.Variable([1.0, -2.0, 0.5]), make(tf.keras.optimizers)

        @tf.function
        def step(scale: Any) -> None:
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(scale * v * v)
            optimizer.apply_gradients([(tape.gradient(loss, v), v)])

        for scale in (0.1, 0.5, -0.3):
            step(tf.constant(scale))
        return [*_values([v]), *_values(optimizer.variables)]

    return {name: lambda make=OPTIMIZERS[name]: path(make) for name in ("adamw", "adamax", "nadam", "lion", "lamb")}


def arguments(tf: Any) -> Answers:
    """Configs, names, and what is refused."""
    keras = tf.keras.optimizers
    kinds = [keras.AdamW, keras.Adamax, keras.Nadam, keras.Lion, keras.Lamb, keras.Adafactor, keras.Muon, keras.ScheduleFreeAdamW]
    return {
        "configs": [{k: x for k, x in kind(0.5, name="mine").get_config().items() if k != "learning_rate"} for kind in kinds],
        "by name": [type(keras.get(name)).__name__ for name in ("adamw", "adamax", "nadam", "lion", "adafactor")],
        "from config": [type(kind.from_config(kind(0.25).get_config())).__name__ for kind in kinds],
        "serialized": type(keras.deserialize({"class_name": "Lion", "config": {"learning_rate": 0.5}})).__name__,
        "adamw without decay": raises(lambda: keras.AdamW(weight_decay=None), "weight_decay"),
        "lion without momentum": raises(lambda: keras.Lion(beta_1=0.0), "beta_1"),
        "unknown": raises(lambda: keras.get("nadamw")),
    }
