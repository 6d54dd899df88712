"""TensorFlow 2's names: `tf.keras.optimizers`, with its module `schedules`."""

from . import schedules

__all__ = ["schedules"]
