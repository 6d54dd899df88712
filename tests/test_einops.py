"""einops on tensors."""

import subprocess
import sys

import einops
import numpy as np
import pytest

import pullback as tf

X = np.arange(24.0).reshape(2, 3, 4)


@pytest.mark.parametrize(
    ("function", "pattern", "sizes"),
    [
        ("rearrange", "a b c -> c (a b)", {}),
        ("rearrange", "a b (c d) -> d a b c", {"d": 2}),
        ("reduce", "a b c -> a c", {"reduction": "max"}),
        ("reduce", "a b (c d) -> a c", {"reduction": "mean", "d": 2}),
        ("repeat", "a b c -> a (b n) c", {"n": 3}),
    ],
)
def test_values_are_numpys_and_gradients_flow(function: str, pattern: str, sizes: dict[str, object]) -> None:
    call = getattr(einops, function)
    x = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = call(x, pattern, **sizes)
    np.testing.assert_array_equal(y.numpy(), call(X, pattern, **sizes))
    assert float(tf.reduce_sum(tape.gradient(y, x))) == y.shape.num_elements()
    compiled = tf.function(lambda t: call(t, pattern, **sizes))
    np.testing.assert_array_equal(compiled(x).numpy(), y.numpy())


def test_packing_and_sums() -> None:
    packed, shapes = einops.pack([tf.constant(X), tf.constant(X[:, 0])], "a * c")
    assert packed.shape == (2, 4, 4)
    assert [tuple(t.shape) for t in einops.unpack(packed, shapes, "a * c")] == [(2, 3, 4), (2, 4)]
    np.testing.assert_allclose(einops.einsum(tf.constant(X), tf.constant(X), "a b c, a d c -> b d").numpy(), np.einsum("abc,adc->bd", X, X))


@pytest.mark.parametrize("imports", ["import einops\nimport pullback as tf", "import pullback as tf\nimport einops"])
def test_either_may_be_imported_first(imports: str) -> None:
    program = imports + '\nprint(einops.rearrange(tf.zeros([2, 3]), "a b -> b a").shape, einops._backends.__loader__.__class__.__name__)'
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "(3, 2) SourceFileLoader\n"
