"""Crossed features: sparse, ragged and dense columns, joined and hashed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.cases.case import Case, ErrorCase, case, error
from tests.cases.ragged import parts as ragged_parts
from tests.cases.sparse import parts, sparse

WORDS = np.array([b"a", b"b", b"a longer word, of more than sixteen letters"], object)
DENSE = np.array([[b"x", b"y"], [b"z", b"w"]], object)
NUMBERS = np.int64([5, -7, 2**40])
PLACES = [[0, 0], [1, 0], [1, 1]]


def crossed(name: str = "cross", **options: Any) -> Callable[..., Any]:
    """A sparse column of the first input, crossed with the second."""
    return lambda tf, v, d: parts(getattr(tf.sparse, name)([sparse(tf, v, PLACES, (2, 2)), d], **options))


def ragged(name: str = "cross", **options: Any) -> Callable[..., Any]:
    """A ragged column of the first input, crossed with the second and itself."""

    def call(tf: Any, v: Any, d: Any) -> Any:
        x = tf.RaggedTensor.from_row_splits(v, [0, 1, 3])
        return ragged_parts(getattr(tf.ragged, name)([d, x, sparse(tf, v, PLACES, (2, 2))], **options))

    return call


CASES: list[Case] = [
    case("FeatureCross", "strings", crossed(), WORDS, DENSE),
    case("FeatureCross", "numbers, a separator", crossed(separator="-"), NUMBERS, np.int32([[1, 2], [3, 4]])),
    case("FeatureCross", "strings and numbers", crossed(), WORDS, np.int64([[1, 2], [3, 4]])),
    case("FeatureCross", "hashed", crossed("cross_hashed"), WORDS, DENSE),
    case("FeatureCross", "hashed to buckets", crossed("cross_hashed", num_buckets=100), WORDS, DENSE),
    case("FeatureCross", "hashed numbers, a key", crossed("cross_hashed", num_buckets=10, hash_key=5), NUMBERS, np.int64([[1], [2]])),
    case("FeatureCross", "ragged", ragged(), WORDS, DENSE),
    case("FeatureCross", "ragged, hashed", ragged("cross_hashed"), NUMBERS, DENSE),
    case("FeatureCross", "ragged, hashed to buckets", ragged("cross_hashed", num_buckets=7), WORDS, DENSE),
]
ERRORS: list[ErrorCase] = [
    error("no list", lambda tf, v: tf.sparse.cross(sparse(tf, v, PLACES, (2, 2))), WORDS),
]
