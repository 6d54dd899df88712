"""Keras 3's optimizers: trajectories, state, arguments, and what they refuse."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import raises

FACE = "v2"

Make = Callable[[Any], Any]

OPTIMIZERS: dict[str, Make] = {
    "sgd": lambda k: k.SGD(0.1),
    "sgd, default": lambda k: k.SGD(),
    "sgd, momentum": lambda k: k.SGD(0.1, momentum=0.9),
    "sgd, nesterov": lambda k: k.SGD(0.1, momentum=0.9, nesterov=True),
    "sgd, weight decay": lambda k: k.SGD(0.1, weight_decay=0.05),
    "sgd, clipnorm": lambda k: k.SGD(0.1, clipnorm=1.0),
    "sgd, clipvalue": lambda k: k.SGD(0.1, clipvalue=0.5),
    "sgd, global_clipnorm": lambda k: k.SGD(0.1, global_clipnorm=1.0),
    "sgd, schedule": lambda k: k.SGD(k.schedules.ExponentialDecay(0.1, 1, 0.5)),
    "sgd, callable": lambda k: k.SGD(lambda: 0.2),
    "sgd, average": lambda k: k.SGD(0.1, use_ema=True, ema_momentum=0.9),
    "sgd, average written": lambda k: k.SGD(0.1, use_ema=True, ema_momentum=0.5, ema_overwrite_frequency=2),
    "sgd, accumulation": lambda k: k.SGD(0.1, gradient_accumulation_steps=2),
    "sgd, loss scale": lambda k: k.SGD(0.1, loss_scale_factor=4.0),
    "adam": lambda k: k.Adam(0.1),
    "adam, default": lambda k: k.Adam(),
    "adam, own betas": lambda k: k.Adam(0.05, beta_1=0.7, beta_2=0.9, epsilon=0.1),
    "adam, amsgrad": lambda k: k.Adam(0.1, amsgrad=True),
    "adam, clipnorm": lambda k: k.Adam(0.1, clipnorm=0.5),
    "adam, weight decay": lambda k: k.Adam(0.1, weight_decay=0.1),
    "adam, accumulation": lambda k: k.Adam(0.1, gradient_accumulation_steps=2),
    "rmsprop": lambda k: k.RMSprop(0.1),
    "rmsprop, momentum": lambda k: k.RMSprop(0.1, rho=0.8, momentum=0.5, epsilon=1e-3),
    "rmsprop, centered": lambda k: k.RMSprop(0.1, momentum=0.5, centered=True),
    "rmsprop, centered only": lambda k: k.RMSprop(0.1, centered=True),
    "adagrad": lambda k: k.Adagrad(0.1),
    "adagrad, own start": lambda k: k.Adagrad(0.1, initial_accumulator_value=0.5, epsilon=1e-2),
    "adadelta": lambda k: k.Adadelta(1.0),
    "adadelta, own rho": lambda k: k.Adadelta(0.5, rho=0.8, epsilon=1e-2),
    "ftrl": lambda k: k.Ftrl(0.1),
    "ftrl, regularized": lambda k: k.Ftrl(0.5, l1_regularization_strength=0.05, l2_regularization_strength=0.1),
    "ftrl, power": lambda k: k.Ftrl(0.5, learning_rate_power=-0.3, initial_accumulator_value=0.2),
    "ftrl, shrinkage": lambda k: k.Ftrl(0.5, l2_shrinkage_regularization_strength=0.1),
    "ftrl, beta": lambda k: k.Ftrl(0.5, beta=0.3),
}


def _values(variables: Any) -> list[Any]:
    return [np.asarray(v.numpy()) for v in variables]


def _dense(tf: Any, make: Make, dtype: str = "float32") -> Any:
    v = tf.Variable(np.array([1.0, -2.0, 0.5], dtype))
    w = tf.Variable(np.array(3.0, dtype))
    optimizer = make(tf.keras.optimizers)
    path = []
    for scale in (0.1, 0.5, -0.3, 0.2):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(scale * v * v * w) + w * w
        optimizer.apply_gradients(zip(tape.gradient(loss, [v, w]), [v, w], strict=True))
        path.append([*_values([v, w]), *_values(optimizer.variables)])
    return path


def dense_paths(tf: Any) -> dict[str, Any]:
    return {name: lambda make=make: _dense(tf, make) for name, make in OPTIMIZERS.items()}


def dense_paths_float64(tf: Any) -> dict[str, Any]:
    names = ["sgd", "sgd, nesterov", "adam", "adam, amsgrad", "rmsprop, centered", "adagrad", "adadelta", "ftrl, regularized"]
    return {name: lambda make=OPTIMIZERS[name]: _dense(tf, make, "float64") for name in names}


def _sparse(tf: Any, make: Make, batches: list[list[int]]) -> Any:
    table = tf.Variable(np.arange(10.0, dtype=np.float32).reshape(5, 2) / 5)
    optimizer = make(tf.keras.optimizers)
    path = []
    for k, rows in enumerate(batches):
        rates = np.linspace(-0.5, 0.8, 2 * len(rows), dtype=np.float32).reshape(-1, 2) * (k + 1)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.gather(table, rows) * rates)
        optimizer.apply_gradients([(tape.gradient(loss, table), table)])
        path.append([*_values([table]), *_values(optimizer.variables)])
    return path


def sparse_paths(tf: Any) -> dict[str, Any]:
    skipped = ("average", "accumulation", "loss scale", "callable", "default")
    names = [name for name in OPTIMIZERS if not any(word in name for word in skipped)]
    return {name: lambda make=OPTIMIZERS[name]: _sparse(tf, make, [[3, 0], [1], [4, 3, 2]]) for name in names}


def sparse_paths_with_repeated_rows(tf: Any) -> dict[str, Any]:
    return {
        name: lambda make=OPTIMIZERS[name]: _sparse(tf, make, [[3, 0, 3], [1], [3, 3, 4]])
        for name in ("sgd", "sgd, momentum", "sgd, nesterov")
    }


def state(tf: Any) -> dict[str, Any]:
    keras = tf.keras.optimizers
    v, w = tf.Variable([1.0, 2.0], name="v"), tf.Variable(1.0, name="a/w")
    gradients = [tf.constant([1.0, 1.0]), tf.constant(1.0)]
    adam = keras.Adam(0.1, name="mine")
    before = [x.name for x in adam.variables]
    count = adam.apply_gradients(zip(gradients, [v, w], strict=True))
    unbuilt = keras.SGD(0.1, momentum=0.5)
    unbuilt.build([v, w])
    unbuilt.apply(gradients)
    changed = keras.SGD(0.5)
    changed.learning_rate = 0.25
    same = keras.SGD.from_config(keras.SGD(0.2, momentum=0.5).get_config())
    return {
        "before": before,
        "variables": [[x.name, x.path, x.numpy().dtype.name, str(tuple(x.shape))] for x in adam.variables],
        "count": int(count.numpy()),
        "iterations": [int(adam.iterations.numpy()), adam.iterations.numpy().dtype.name],
        "name": adam.name,
        "config": {k: x for k, x in adam.get_config().items() if k != "learning_rate"},
        "rate": np.float32(adam.learning_rate.numpy()),
        "rate changed": np.float32(changed.learning_rate.numpy()),
        "rate of a schedule": np.float32(keras.SGD(keras.schedules.ExponentialDecay(0.1, 10, 0.9)).learning_rate),
        "built, then applied": _values(unbuilt.variables),
        "from_config": [np.float32(same.learning_rate.numpy()), same.momentum],
        "get by name": type(keras.get("adam")).__name__,
        "get by config": np.float32(keras.get({"class_name": "SGD", "config": {"learning_rate": 0.5}}).learning_rate.numpy()),
        "get the same": keras.get(adam) is adam,
        "scale_loss": np.float32(keras.SGD(0.1, loss_scale_factor=4.0).scale_loss(tf.constant(2.0))),
        "built": [keras.SGD().built, adam.built],
    }


def accumulated_iterations(tf: Any) -> dict[str, Any]:
    optimizer = tf.keras.optimizers.SGD(0.1, gradient_accumulation_steps=2)
    v = tf.Variable(1.0)
    counts = []
    for _ in range(3):
        optimizer.apply([tf.constant(1.0)], [v])
        counts.append(int(optimizer.iterations))
    return {"counts": counts}


def gradients_of_other_kinds(tf: Any) -> dict[str, Any]:
    def path(gradient: Any) -> Any:
        v = tf.Variable([1.0, 2.0])
        tf.keras.optimizers.SGD(0.1).apply_gradients([(gradient, v)])
        return v.numpy()

    def some_none() -> Any:
        v, w = tf.Variable(1.0, name="v"), tf.Variable(2.0, name="w")
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            tf.keras.optimizers.SGD(0.1).apply_gradients([(None, v), (tf.constant(1.0), w)])
        return [*_values([v, w]), [str(x.message).split(" when")[0] for x in seen if "Gradients" in str(x.message)]]

    constrained = tf.Variable([1.0, -2.0], constraint=lambda x: tf.clip_by_value(x, -1.0, 1.0))
    tf.keras.optimizers.SGD(0.1).apply_gradients([(tf.constant([1.0, 1.0]), constrained)])
    return {
        "integers": path(tf.constant([1, 2])),
        "float64": path(tf.constant([1.0, 2.0], tf.float64)),
        "list": path([1.0, 2.0]),
        "array": path(np.array([1.0, 2.0])),
        "some None": some_none(),
        "constraint": constrained.numpy(),
        "nothing to apply": tf.keras.optimizers.SGD(0.1).apply([], []),
    }


def average_at_the_end(tf: Any) -> dict[str, Any]:
    optimizer = tf.keras.optimizers.SGD(0.1, use_ema=True, ema_momentum=0.9)
    v = tf.Variable([1.0, 2.0])
    for _ in range(3):
        optimizer.apply([tf.constant([1.0, -1.0])], [v])
    before = v.numpy()
    optimizer.finalize_variable_values([v])
    return {"before": before, "after": v.numpy()}


def decay_left_out(tf: Any) -> dict[str, Any]:
    def path(**options: Any) -> Any:
        v, b = tf.Variable([1.0, 2.0], name="kernel"), tf.Variable([1.0, 2.0], name="bias")
        optimizer = tf.keras.optimizers.SGD(0.1, weight_decay=0.5)
        optimizer.exclude_from_weight_decay(**({"var_list": [b]} if "var_list" in options else options))
        optimizer.apply([tf.constant([0.0, 0.0])] * 2, [v, b])
        return _values([v, b])

    return {"by name": path(var_names=["bias"]), "by variable": path(var_list=[])}


def refused(tf: Any) -> dict[str, Any]:
    keras = tf.keras.optimizers
    v = tf.Variable([1.0, 2.0], name="v")
    used = keras.Adam(0.1)
    used.apply_gradients([(tf.constant([1.0, 1.0]), v)])
    scheduled = keras.SGD(keras.schedules.ExponentialDecay(0.1, 10, 0.9))
    return {
        "integer rate": raises(lambda: keras.SGD(1), "learning_rate"),
        "text rate": raises(lambda: keras.SGD("a"), "learning_rate"),
        "tensor rate": raises(lambda: keras.SGD(tf.constant(0.1)), "learning_rate"),
        "integer momentum": raises(lambda: keras.SGD(0.1, momentum=1), "momentum"),
        "momentum above 1": raises(lambda: keras.SGD(0.1, momentum=2.0), "momentum"),
        "two clips": raises(lambda: keras.SGD(0.1, clipnorm=1.0, clipvalue=1.0), "clipnorm", "clipvalue"),
        "unknown argument": raises(lambda: keras.SGD(0.1, foo=1), "foo"),
        "lr": raises(lambda: keras.SGD(lr=0.1), "lr"),
        "another variable": raises(lambda: used.apply_gradients([(tf.constant(1.0), tf.Variable(2.0))]), "Unknown variable"),
        "all None": raises(lambda: used.apply_gradients([(None, v)]), "No gradients provided for any variable"),
        "nothing": raises(lambda: used.apply_gradients([])),
        "not built": raises(lambda: keras.SGD().apply([tf.constant(1.0)]), "build"),
        "too many": raises(lambda: used.apply([tf.constant([1.0, 1.0])] * 2), "gradients"),
        "wrong shape": raises(lambda: keras.SGD(0.1).apply_gradients([(tf.constant([1.0, 2.0, 3.0]), v)])),
        "rate of a schedule set": raises(lambda: setattr(scheduled, "learning_rate", 0.3), "LearningRateSchedule"),
        "unknown name": raises(lambda: keras.get("zzz"), "zzz"),
        "negative power": raises(lambda: keras.Ftrl(learning_rate_power=1.0), "learning_rate_power"),
        "negative start": raises(lambda: keras.Ftrl(initial_accumulator_value=-1.0), "initial_accumulator_value"),
        "negative l1": raises(lambda: keras.Ftrl(l1_regularization_strength=-1.0), "l1_regularization_strength"),
        "negative l2": raises(lambda: keras.Ftrl(l2_regularization_strength=-1.0), "l2_regularization_strength"),
        "negative shrinkage": raises(lambda: keras.Ftrl(l2_shrinkage_regularization_strength=-1.0), "l2_shrinkage"),
        "one accumulation step": raises(lambda: keras.SGD(0.1, gradient_accumulation_steps=1), "gradient_accumulation_steps"),
        "average out of range": raises(lambda: keras.SGD(0.1, use_ema=True, ema_momentum=2.0), "ema_momentum"),
        "average never written": raises(lambda: keras.SGD(0.1, use_ema=True, ema_overwrite_frequency=0.5), "ema_overwrite_frequency"),
        "weights before build": raises(lambda: keras.SGD(0.1).set_weights([]), "build"),
    }
