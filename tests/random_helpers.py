"""What lines of random programs call that is longer than a line: fitting a value to a call, tapes and accumulators inside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


class Helpers:
    """The helpers, on one library: `tf` is Pullback or TensorFlow."""

    def __init__(self, tf: Any) -> None:
        self.tf = tf

    def fit(self, x: Any, shape: list[int], dtype: str) -> Any:
        """Bounded numbers of x, repeated or cut to a shape, in a dtype; gradients flow."""
        tf = self.tf
        size = int(np.prod(shape, dtype=np.int64))
        flat = tf.sin(tf.reshape(tf.cast(x, tf.as_dtype(dtype)) if dtype[:7] != "complex" else self._complex(x, dtype), [-1]))
        places = tf.range(size) % tf.maximum(tf.size(flat), 1)  # where there are none, all are the zero behind them
        return tf.reshape(tf.gather(tf.concat([flat, tf.zeros([1], dtype)], 0), places), shape)

    def _complex(self, x: Any, dtype: str) -> Any:
        tf = self.tf
        part = tf.cast(x, tf.float32 if dtype == "complex64" else tf.float64)
        return tf.complex(part, 0.5 * part)

    def part(self, found: Any, k: int) -> Any:
        """One of the tensors that a call gives, one with gradients where there are some."""
        tf = self.tf
        tensors = [x for x in tf.nest.flatten(found) if tf.is_tensor(x) and hasattr(x, "get_shape")]
        some = [x for x in tensors if x.dtype.is_floating or x.dtype.is_complex] or tensors
        if not some:
            raise TypeError("no tensor comes of it")
        return some[k % len(some)]

    def slope(self, f: Callable[[Any], Any], x: Any) -> Any:
        """The gradient of f at x."""
        with self.tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x, unconnected_gradients="zero")

    def jacobian(self, f: Callable[[Any], Any], x: Any) -> Any:
        """The Jacobian of f at x."""
        with self.tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.jacobian(y, x, unconnected_gradients="zero")

    def batch_jacobian(self, f: Callable[[Any], Any], x: Any) -> Any:
        """The Jacobian of each row."""
        with self.tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.batch_jacobian(y, x, unconnected_gradients="zero")

    def push(self, f: Callable[[Any], Any], x: Any, direction: Any) -> Any:
        """The derivative of f at x along a direction."""
        with self.tf.autodiff.ForwardAccumulator(x, direction) as accumulator:
            y = f(x)
        return accumulator.jvp(y, unconnected_gradients="zero")

    def curve(self, f: Callable[[Any], Any], x: Any, direction: Any) -> Any:
        """The second derivative of the sum of f, times a direction: forward over reverse."""
        with self.tf.autodiff.ForwardAccumulator(x, direction) as accumulator:
            slope = self.slope(f, x)
        return accumulator.jvp(slope, unconnected_gradients="zero")

    def sparse_slope(self, f: Callable[[Any], Any], x: Any, ids: list[int]) -> Any:
        """The gradient of some rows of x, which is sparse, made dense."""
        tf = self.tf
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(tf.gather(x, ids))
        return tf.convert_to_tensor(tape.gradient(y, x))

    def custom(self, x: Any, f: Callable[[Any], Any], rule: Callable[[Any, Any], Any]) -> Any:
        """f at x, with a gradient of its own."""

        @self.tf.custom_gradient
        def call(x: Any) -> Any:
            return f(x), lambda g: rule(g, x)

        return call(x)

    def recompute(self, f: Callable[[Any], Any], x: Any) -> Any:
        """f at x, computed again for the gradient."""
        return self.tf.recompute_grad(f)(x)

    def array(self, x: Any, f: Callable[[Any, Any], Any], turns: int, back: bool) -> Any:
        """A TensorArray that a loop fills and reads."""
        tf = self.tf
        start = tf.TensorArray(x.dtype, size=turns + 1, clear_after_read=False, element_shape=x.shape).write(0, x)
        _, filled = tf.while_loop(lambda i, a: i < turns, lambda i, a: (i + 1, a.write(i + 1, f(a.read(i), x))), (0, start))
        return filled.gather(list(range(turns, -1, -1))) if back else filled.stack()

    def function(self, f: Callable[..., Any], *given: Any) -> Any:
        """f as a `tf.function`."""
        return self.tf.function(f)(*given)
