"""Ops that pass a tensor on: identity, the stops, bits read anew."""

from __future__ import annotations

from tests.cases.case import Case, ErrorCase, case, error, floats, ints

CASES: list[Case] = [
    case("Identity", "matrix", lambda tf, x: tf.identity(x), floats(2, 3)),
    case("Identity", "scalar float64", lambda tf, x: tf.identity(x), floats(dtype="float64")),
    case("Identity", "integers", lambda tf, x: tf.identity(x), ints(2)),
    case("Identity", "complex", lambda tf, x: tf.identity(x), floats(2, dtype="complex64")),
    case("Identity", "of a Python list", lambda tf, x: tf.identity([x, x]), floats(2)),
    case("Identity", "gradients stay sparse", lambda tf, x: tf.gather(tf.identity(x), [0, 0]), floats(3, 2)),
    case("IdentityN", "two", lambda tf, x, y: tf.identity_n([x, y]), floats(2), floats(3, dtype="float64")),
    case("IdentityN", "one used", lambda tf, x, y: tf.identity_n([x, y])[0] * 2.0, floats(2), floats(3)),
    case("IdentityN", "with integers", lambda tf, x, y: tf.identity_n([x, y]), floats(2), ints(3)),
    case("StopGradient", "alone", lambda tf, x: tf.stop_gradient(x), floats(2), smooth=False),
    case("StopGradient", "in a product", lambda tf, x: tf.stop_gradient(x) * tf.sin(x), floats(2), smooth=False),
    case("StopGradient", "integers", lambda tf, x: tf.stop_gradient(x), ints(2), smooth=False),
    case(
        "PreventGradient",
        "forward",
        lambda tf, x: tf.raw_ops.PreventGradient(input=tf.stop_gradient(x), message="no"),
        floats(2),
        smooth=False,
    ),
    case("GuaranteeConst", "forward", lambda tf, x: tf.guarantee_const(tf.stop_gradient(x)), floats(2), smooth=False),
    case("Bitcast", "float to integer", lambda tf, x: tf.bitcast(tf.stop_gradient(x), tf.int32), floats(2, 3), smooth=False),
    case(
        "Bitcast", "there and back has no gradient", lambda tf, x: tf.bitcast(tf.bitcast(x, tf.int32), tf.float32), floats(2), smooth=False
    ),
    case("Bitcast", "to smaller", lambda tf, x: tf.bitcast(x, tf.uint8), ints(2, high=1000), smooth=False),
    case("Bitcast", "to larger", lambda tf, x: tf.bitcast(x, tf.int32), ints(2, 4, dtype="uint8"), smooth=False),
    case("Bitcast", "to float64", lambda tf, x: tf.bitcast(x, tf.float64), ints(3, 2), smooth=False),
    case("PlaceholderWithDefault", "not fed", lambda tf, x: tf.placeholder_with_default(x, [None]) * 2.0, floats(2), face="v1"),
]

ERRORS: list[ErrorCase] = [
    *(
        found
        for mode in ("eager", "graph")
        for found in (
            error("Bitcast: sizes do not fit", lambda tf, x: tf.bitcast(x, tf.int64), floats(3), mode=mode),
            error("identity_n: nothing", lambda tf: tf.identity_n([]), mode=mode),
        )
    ),
    error(
        "PreventGradient: a gradient is asked for",
        lambda tf, x: _slope(tf, lambda t: tf.raw_ops.PreventGradient(input=t, message="no"), x),
        floats(2),
    ),
    error(
        "PreventGradient: a gradient is asked for",
        lambda tf, x: tf.gradients(tf.raw_ops.PreventGradient(input=x, message="no"), x),
        floats(2),
        mode="graph",
    ),
]


def _slope(tf, f, x):
    """The gradient of `f` at `x` by a tape."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)
