"""What debuggers put into graphs, and the time of day."""

from __future__ import annotations

from tests.cases.case import Case, ErrorCase, case, floats, ints

CASES: list[Case] = [
    case(
        "DebugGradientIdentity",
        "forward",
        lambda tf, x: tf.raw_ops.DebugGradientIdentity(input=tf.stop_gradient(x)),
        floats(2),
        smooth=False,
    ),
    case("DebugGradientIdentity", "integers", lambda tf, x: tf.raw_ops.DebugGradientIdentity(input=x), ints(2, 3), smooth=False),
    case("DebugIdentityV2", "matrix", lambda tf, x: tf.raw_ops.DebugIdentityV2(input=x, tensor_debug_mode=2), floats(2, 3)),
    case("DebugIdentityV2", "complex scalar", lambda tf, x: tf.raw_ops.DebugIdentityV2(input=x), floats(dtype="complex64")),
    case("Timestamp", "whether it is past 2020", lambda tf, x: tf.cast(tf.timestamp() > 1.6e9, tf.float32) * x, floats()),
]
ERRORS: list[ErrorCase] = []
