"""Keras's training loops on Pullback: fit, evaluate, predict, from arrays, datasets and generators, saved and restored."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers

FACE = "v2"


def _start(holder: Any, seed: int = 1) -> Any:
    """Give weights numbers that do not depend on who draws."""
    stream = np.random.RandomState(seed)
    for weight in holder.weights:
        if "gamma" not in weight.name and "variance" not in weight.name:
            weight.assign(stream.randn(*weight.shape) * 0.3)
    return holder


def _data(rows: int = 32, columns: int = 8) -> tuple[Any, Any]:
    x = np.random.RandomState(0).randn(rows, columns).astype("float32")
    return x, (x[:, :1] * 2 > x[:, 1:2]).astype("float32")


def _perceptron(keras: Any) -> Any:
    layers = keras.layers
    model = keras.Sequential([layers.Input((8,)), layers.Dense(16, activation="relu"), layers.Dense(1, activation="sigmoid")])
    return _start(model)


def _trained(model: Any, x: Any, y: Any, fit: dict[str, Any] | None = None, **options: Any) -> Any:
    model.compile(**options)
    history = model.fit(x, y, **{"epochs": 2, "batch_size": 8, "shuffle": False, "verbose": 0, **(fit or {})}).history
    logs = {name: np.float32(values) for name, values in history.items()}
    return [logs, np.float32(model.evaluate(x, y, verbose=0)), model.predict(x, verbose=0), model.get_weights()]


def modes(tf: Any) -> Answers:
    ways = {"eager": {"run_eagerly": True}, "function": {"jit_compile": False}, "native": {"jit_compile": True}, "two steps": {"steps_per_execution": 2}}

    def answer(options: dict[str, Any]) -> Callable[[], Any]:
        return lambda: _trained(
            _perceptron(tf.keras), *_data(), optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"], **options
        )

    return {name: answer(options) for name, options in ways.items()}


def sequences(tf: Any) -> Answers:
    keras, layers = tf.keras, tf.keras.layers
    stream = np.random.RandomState(4)
    x, y = stream.randint(1, 10, (16, 5)), stream.randn(16, 1).astype("float32")
    x[::2, 3:] = 0

    def answer(make: Callable[[], Any], masked: bool) -> Callable[[], Any]:
        def found() -> Any:
            words = layers.Input((5,), dtype="int32")
            output = layers.Dense(1)(make()(layers.Embedding(10, 4, mask_zero=masked)(words)))
            return _trained(_start(keras.Model(words, output)), x, y, optimizer="rmsprop", loss="mse", fit={"epochs": 1})

        return found

    return {
        "lstm": answer(lambda: layers.LSTM(6), False),
        "gru": answer(lambda: layers.GRU(6), False),
        "masked, both ways": answer(lambda: layers.Bidirectional(layers.LSTM(4)), True),
    }


def inputs(tf: Any) -> Answers:
    x, y = _data()

    def losses(fit: Callable[[Any], Any]) -> Callable[[], Any]:
        def found() -> Any:
            model = _perceptron(tf.keras)
            model.compile("sgd", "mse")
            return [np.float32(values) for _, values in sorted(fit(model).history.items())]

        return found

    def endless() -> Any:
        while True:
            for i in range(0, 32, 8):
                yield x[i : i + 8], y[i : i + 8]

    def dataset() -> Any:
        return tf.data.Dataset.from_tensor_slices((x, y)).batch(8)

    return {
        "dataset": losses(lambda model: model.fit(dataset(), epochs=2, verbose=0, validation_data=dataset(), shuffle=False)),
        "generator": losses(lambda model: model.fit(endless(), steps_per_epoch=4, epochs=2, verbose=0, shuffle=False)),
        "weights": losses(lambda model: model.fit(x, y, batch_size=8, class_weight={0: 1.0, 1: 3.0}, shuffle=False, verbose=0)),
        "validation": losses(lambda model: model.fit(x, y, batch_size=8, validation_split=0.25, shuffle=False, verbose=0)),
    }


def drawn(tf: Any) -> Answers:
    """Initial weights, the order of batches and what dropout drops follow from the seed."""
    keras, (x, y) = tf.keras, _data()

    def found() -> Any:
        keras.utils.set_random_seed(3)
        model = keras.Sequential([keras.layers.Dense(8), keras.layers.Dropout(0.5), keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        return [np.float32(model.fit(x, y, batch_size=8, epochs=2, verbose=0).history["loss"]), model.get_weights()]

    return {"shuffled, with dropout": found}


def own_step(tf: Any) -> Answers:
    keras, (x, y) = tf.keras, _data()

    class Own(keras.Model):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.hidden, self.last = keras.layers.Dense(8, activation="tanh"), keras.layers.Dense(1)

        def call(self, x: Any) -> Any:
            return self.last(self.hidden(x))

        def train_step(self, data: Any) -> Any:
            x, y = data
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((self(x) - y) ** 2)
            self.optimizer.apply_gradients(zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables, strict=True))
            return {"loss": loss}

    def found() -> Any:
        model = Own()
        model(x[:2])
        _start(model)
        model.compile("sgd")
        history = model.fit(x, y, epochs=2, batch_size=8, shuffle=False, verbose=0).history
        return [np.float32(history["loss"]), model.get_weights()]

    return {"trained": found}


def saved(tf: Any) -> Answers:
    keras, (x, y) = tf.keras, _data()

    def found() -> Any:
        model = _perceptron(keras)
        model.compile("adam", "mse")
        model.fit(x, y, epochs=1, batch_size=8, shuffle=False, verbose=0)
        with tempfile.TemporaryDirectory() as folder:
            model.save(f"{folder}/model.keras")
            whole = keras.models.load_model(f"{folder}/model.keras")
            model.save_weights(f"{folder}/model.weights.h5")
            other = _perceptron(keras)
            other.load_weights(f"{folder}/model.weights.h5")
            whole.fit(x, y, epochs=1, batch_size=8, shuffle=False, verbose=0)
        return [other.predict(x, verbose=0), whole.get_weights()]

    return {"goes on": found}


def other_shapes(tf: Any) -> Answers:
    """Weights of a model whose last layer has another shape: which, and what is loaded none the less."""
    keras = tf.keras

    def model(units: int) -> Any:
        return keras.Sequential([keras.Input(shape=(3,), batch_size=2), keras.layers.Dense(4), keras.layers.Dense(units)])

    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/model.keras"
        first, other = _start(model(5)), _start(model(6), 2)
        first.save(path)
        try:
            refused = other.load_weights(path)
        except ValueError as error:
            refused = "must match" in str(error)
        with warnings.catch_warnings(action="ignore"):
            other.load_weights(path, skip_mismatch=True)
        equal = [bool((a.numpy() == b.numpy()).all()) for a, b in zip(first.layers[0].weights, other.layers[0].weights, strict=True)]
    return {"refused": lambda: refused, "first layer": lambda: equal}


def mixed(tf: Any) -> Answers:
    keras = tf.keras

    def found() -> Any:
        keras.mixed_precision.set_global_policy("mixed_float16")
        try:
            layers = [keras.layers.Input((8,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1, dtype="float32")]
            answer = _trained(_start(keras.Sequential(layers)), *_data(), optimizer="sgd", loss="mse")
        finally:
            keras.mixed_precision.set_global_policy("float32")
        return [answer[0], answer[3][0].dtype.name, np.abs(answer[2] - answer[2].mean()).max() > 0.1]

    return {"half": found}


def batches(tf: Any) -> Answers:
    keras, (x, y) = tf.keras, _data()

    def steps(**options: Any) -> Callable[[], Any]:
        def found() -> Any:
            model = _perceptron(keras)
            model.compile("adam", "binary_crossentropy", metrics=["accuracy"], **options)
            logs = [model.train_on_batch(x, y) for _ in range(3)]
            return [np.float32(logs), np.float32(model.test_on_batch(x, y)), model.predict_on_batch(x), model.get_weights()]

        return found

    return {"eager": steps(run_eagerly=True), "function": steps(jit_compile=False), "native": steps(jit_compile=True), "auto": steps()}


def checkpoints(tf: Any) -> Answers:
    keras, (x, y) = tf.keras, _data()

    def again(folder: str) -> Any:
        model = _perceptron(keras)
        model.compile("adam", "mse")
        model.train_on_batch(x, y)
        path = tf.train.Checkpoint(model=model).save(f"{folder}/checkpoint")
        other = _perceptron(keras)
        tf.train.Checkpoint(model=other).restore(path).expect_partial()
        return [other.predict_on_batch(x), np.bool_(np.array_equal(other.predict_on_batch(x), model.predict_on_batch(x)))]

    def in_folder() -> Any:
        with tempfile.TemporaryDirectory() as folder:
            return again(folder)

    return {"restored": in_folder}
