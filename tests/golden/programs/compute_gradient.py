"""`tf.test.compute_gradient` of TensorFlow 2: layouts, dtypes, arguments, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.forward_mode import POINT, functions
from tests.golden.programs.kit import raises

FACE = "v2"


def by_rules(tf: Any) -> dict[str, Any]:
    """The Jacobian that the rules give; the differences beside it are checked to be near in `near`."""
    found: dict[str, Any] = {}
    for name, f in functions(tf).items():
        found[name] = lambda f=f: tf.test.compute_gradient(f, [POINT])[0]
    return found


def near(tf: Any) -> dict[str, Any]:
    def apart(f: Any) -> Any:
        rules, differences = tf.test.compute_gradient(f, [POINT])
        return bool(np.max(np.abs(rules[0] - differences[0])) < 1e-3)

    return {name: (lambda f=f: apart(f)) for name, f in functions(tf).items()}


def layouts(tf: Any) -> dict[str, Any]:
    asked = tf.test.compute_gradient
    pair = tf.constant([1.0, 2.0])
    mixed = tf.constant([1.0 + 2.0j, 2.0], tf.complex64)
    return {
        "squares": lambda: asked(lambda x: x * x, [pair]),
        "two arguments": lambda: asked(lambda x, y: x * y, [pair, tf.constant(3.0)]),
        "matrices": lambda: asked(tf.matmul, [tf.ones([2, 2]), tf.ones([2, 1])]),
        "a tuple": lambda: asked(lambda x: x * x, (pair,)),
        "a variable": lambda: asked(lambda x: x * x, [tf.Variable([1.0, 2.0])]),
        "half precision": lambda: asked(lambda x: x * x, [tf.constant([1.0, 2.0], tf.float16)]),
        "complex": lambda: asked(lambda x: x * x, [mixed])[0],
        "complex to real": lambda: asked(lambda x: tf.math.real(x * x), [mixed])[0],
        "real to complex": lambda: asked(lambda x: tf.complex(x, 2.0 * x), [pair]),
        "absolute values": lambda: asked(tf.abs, [tf.constant([3.0 + 4.0j], tf.complex128)])[0],
        "unconnected": lambda: asked(lambda x, y: x * 2.0, [pair, tf.constant([1.0])]),
        "nothing": lambda: asked(lambda x: x * 2.0, [tf.zeros([0])]),
        "an empty result": lambda: asked(lambda x: x[:0], [tf.ones([3])]),
        "a step": lambda: asked(lambda x: x**3, [tf.constant([1.0])], delta=0.5),
        "a lookup": lambda: asked(lambda x: tf.gather(x, [1, 1]), [pair]),
        "no arguments": lambda: list(asked(lambda: tf.constant(1.0), [])),
    }


def refused(tf: Any) -> dict[str, Any]:
    asked = tf.test.compute_gradient
    return {
        "no list": raises(lambda: asked(lambda x: x, tf.constant([1.0])), "`x` must be a list or tuple"),
        "integers": raises(lambda: asked(lambda x: x * x, [tf.constant([1, 2])]), "unsupported type int32"),
        "an integer result": raises(lambda: asked(lambda x: tf.cast(x, tf.int32), [tf.constant([1.0])]), "unsupported type int32"),
        "several results": raises(lambda: asked(lambda x: (x, x), [tf.constant([1.0])])),
        "no result": raises(lambda: asked(lambda x: None, [tf.constant([1.0])])),
        "dtypes": raises(lambda: asked(lambda x, y: x * y, [np.array([1.0, 2.0]), 3.0])),
    }
