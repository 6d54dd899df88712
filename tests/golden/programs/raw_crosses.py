"""The raw operations that cross columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers

FACE = "v2"


def crosses(tf: Any) -> Answers:
    """Of strings and numbers, joined and hashed by either hash."""
    raw = tf.raw_ops
    words = tf.sparse.from_dense([["apple", "b", ""], ["", "a rather long word, longer than all others", ""], ["d", "", "e"]])
    numbers = tf.sparse.from_dense(np.int64([[1, 0], [0, -3], [2**40, 5]]))
    dense, counts = tf.constant([["x"], ["yy"], [""]]), tf.constant(np.int64([[7, 8], [9, 10], [11, 12]]))

    def pieces(*columns: Any, dense_inputs: Any = ()) -> dict[str, Any]:
        given = {"indices": "indices", "values": "values", "shapes": "dense_shape"}
        return {name: [getattr(c, of) for c in columns] for name, of in given.items()} | {"dense_inputs": list(dense_inputs)}

    mixed = [
        pieces(words, dense_inputs=[dense]),
        pieces(words, numbers, dense_inputs=[counts, dense]),
        pieces(numbers, dense_inputs=[counts]),
        pieces(dense_inputs=[dense, counts]),
        pieces(words),
    ]

    def old(given: Any, hashed: bool, buckets: int = 0) -> Any:
        # TensorFlow's first operation wants numbers hashed, or all of them strings
        kind = tf.int64 if hashed else tf.string
        return raw.SparseCross(**given, hashed_output=hashed, num_buckets=buckets, hash_key=956888297470, out_type=kind, internal_type=tf.string)

    found: Answers = {}
    for i, given in enumerate(mixed):
        found[f"joined {i}"] = lambda given=given: list(raw.SparseCrossV2(**given, sep="-"))
    # TensorFlow's hashed operation reads sparse numbers as if they were strings: by the strong hash it ends the process
    found |= {
        f"hashed {i}": lambda given=mixed[i]: list(raw.SparseCrossHashed(**given, num_buckets=97, strong_hash=False, salt=[3, 4])) for i in (0, 3, 4)
    } | {
        f"strong {i}": lambda given=mixed[i]: list(raw.SparseCrossHashed(**given, num_buckets=0, strong_hash=True, salt=[3, -4])) for i in (0, 4)
    }
    return found | {
        "old, joined": lambda: list(old(mixed[0], False)),
        "old, hashed": lambda: list(old(mixed[0], True, 100)),
        "old, no buckets": lambda: list(old(mixed[4], True)),
    }
