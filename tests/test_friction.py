"""What a newcomer tries: each is told what to write instead, or it works."""

from __future__ import annotations

import pytest

import pullback as tf
import pullback.compat.v1 as tf1
from pullback.interop.names import explain, tensorflow_names


@pytest.mark.parametrize("made", [tf.constant, tf.Variable], ids=["tensor", "variable"])
def test_assignment_to_an_element_names_what_does_it(made: type) -> None:
    x = made([1.0, 2.0])
    with pytest.raises(TypeError, match=r"does not support item assignment.*tf\.tensor_scatter_nd_update\(x, \[\[0\]\], \[3\.0\]\)"):
        x[0] = 3.0
    assert tf.tensor_scatter_nd_update(x, [[0]], [3.0]).numpy().tolist() == [3.0, 2.0]


@pytest.mark.parametrize("face", [tf, tf1, tf.math, tf.nest, tf1.train], ids=lambda face: face.__name__)
def test_dir_shows_public_names_only(face: object) -> None:
    names = dir(face)
    assert names == sorted(face.__all__)  # type: ignore[attr-defined]
    assert not [name for name in names if name.startswith("_") and name != "__version__"]


def test_no_message_promises_what_will_not_come() -> None:
    names = sorted((space, name) for space, names in tensorflow_names().items() for name in names)
    told = [explain(space, name) for space, name in names[::97]]
    assert not [text for text in told if " yet" in text]
    assert any("is not in Pullback" in text for text in told)
