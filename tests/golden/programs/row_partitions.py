"""`tf.experimental.RowPartition`, and `DynamicRaggedShape` made of them."""

from __future__ import annotations

from typing import Any

from tests.golden.programs.kit import ours, raised, raises

FACE = "v2"


def made(tf: Any) -> dict[str, Any]:
    rows = tf.experimental.RowPartition
    ways = {
        "splits": lambda: rows.from_row_splits([0, 2, 2, 5]), "lengths": lambda: rows.from_row_lengths([2, 0, 3]),
        "starts": lambda: rows.from_row_starts([0, 2, 2], 5), "limits": lambda: rows.from_row_limits([2, 2, 5]),
        "rowids": lambda: rows.from_value_rowids([0, 0, 2], nrows=4), "rowids alone": lambda: rows.from_value_rowids([0, 0, 2]),
        "uniform": lambda: rows.from_uniform_row_length(2, nvals=6), "uniform by rows": lambda: rows.from_uniform_row_length(2, nrows=3),
        "uniform, empty": lambda: rows.from_uniform_row_length(0, nvals=0, nrows=3), "no rows": lambda: rows.from_row_lengths([]),
    }  # fmt: skip
    what = ["nrows", "nvals", "row_splits", "row_starts", "row_limits", "row_lengths", "value_rowids", "offsets_in_rows", "is_uniform"]

    def all_of(make: Any) -> Any:
        return lambda: [repr(make()), *(getattr(make(), name)() for name in what)]

    def known(make: Any) -> Any:
        def numbers() -> list[int | None]:
            p = make()
            found = (p.static_nrows, p.static_nvals, p.static_uniform_row_length)
            return [None if n is None else int(n) for n in found]

        return numbers

    return {
        **{name: all_of(make) for name, make in ways.items()},
        **{f"{name}, known": known(ways[name]) for name in ("splits", "lengths", "limits", "rowids", "uniform", "uniform by rows")},
        "dtypes": lambda: [
            rows.from_row_splits(tf.constant([0, 2], tf.int32)).dtype, rows.from_row_splits([0, 2], dtype=tf.int32).dtype,
            rows.from_row_splits([0, 2], dtype_hint=tf.int32).dtype, rows.from_row_splits([0, 2]).dtype,
            rows.from_row_splits([0, 2]).with_dtype(tf.int32).row_splits().dtype,
        ],
        "not checked": lambda: repr(rows.from_row_splits([0, 3, 2], validate=False)),
        "specs": lambda: [repr(tf.type_spec_from_value(ways[name]())) for name in ("splits", "rowids", "uniform")],
        "in a function": lambda: tf.function(lambda p: [p.row_lengths(), p.value_rowids()])(ways["splits"]()),
        "out of a function": lambda: repr(tf.function(lambda p: p)(ways["rowids"]())),
        "chosen": lambda: repr(tf.cond(tf.constant(False), ways["splits"], ways["limits"])),
        "flat": lambda: tf.nest.flatten(ways["uniform"](), expand_composites=True),
        "a tensor": lambda: tf.is_tensor(ways["splits"]()),
    }  # fmt: skip


def refused(tf: Any) -> dict[str, Any]:
    rows = tf.experimental.RowPartition
    calls = {
        "itself": lambda: rows([0, 1]), "not from 0": lambda: rows.from_row_splits([1, 2]),
        "falling": lambda: rows.from_row_splits([0, 3, 2]), "empty": lambda: rows.from_row_splits([]),
        "a matrix": lambda: rows.from_row_splits([[0]]),
        "floats": lambda: rows.from_row_splits([0.0, 1.0]), "a negative length": lambda: rows.from_row_lengths([-1]),
        "falling rows": lambda: rows.from_value_rowids([1, 0]), "too few rows": lambda: rows.from_value_rowids([0, 5], nrows=3),
        "fewer than no rows": lambda: rows.from_value_rowids([0], nrows=-1), "starts behind 0": lambda: rows.from_row_starts([1, 2], 5),
        "starts behind the end": lambda: rows.from_row_starts([0, 7], 5),
        "no number": lambda: rows.from_uniform_row_length(2), "no multiple": lambda: rows.from_uniform_row_length(2, nvals=5),
        "other rows": lambda: rows.from_uniform_row_length(2, nvals=6, nrows=2),
        "less than nothing": lambda: rows.from_uniform_row_length(-1, nvals=6),
        "a dtype": lambda: rows.from_row_splits([0, 1]).with_dtype(tf.float32),
    }  # fmt: skip
    return {name: raises(call) for name, call in calls.items()}


def shapes(tf: Any) -> dict[str, Any]:
    rows, shape = tf.experimental.RowPartition, tf.experimental.DynamicRaggedShape
    p, q = rows.from_row_splits([0, 2, 2, 5]), rows.from_uniform_row_length(2, nvals=6)
    deeper = rows.from_row_splits([0, 1, 2, 3, 4, 7])
    whole = shape([p], [5, 3])
    return {
        "one": lambda: repr(shape([p], [5])), "with items of a shape": lambda: repr(whole), "two": lambda: repr(shape([p, deeper], [7])),
        "none": lambda: repr(shape([], [2, 3])), "of partitions": lambda: repr(shape.from_row_partitions([p, deeper])),
        "uniform": lambda: repr(shape([q], [6, 2])), "dtype": lambda: [shape([p], [5]).dtype, shape([p], [5], dtype=tf.int32).dtype],
        "partitions": lambda: [repr(r) for r in whole.row_partitions],
        "partitions of a tensor": lambda: [repr(r) for r in shape.from_tensor(tf.ragged.constant([[[1]], [[2, 3], []]])).row_partitions],
        "first axes": lambda: [repr(whole[:1]), repr(whole[:2]), repr(shape.from_lengths([3, 2, (1, 2, 1, 1, 0, 0)])[:2])],
        "last axes": lambda: repr(shape.from_lengths([3, 4, 5])[1:]),
        "one axis": lambda: [whole[0], whole[2], whole[-1]],
        "used": lambda: tf.reshape(tf.range(15), whole).to_list(),
        "checked": lambda: repr(shape([p, deeper], [7], validate=True)),
        "not checked": lambda: repr(shape([p], [6])),
        "ragged in the way": raises(lambda: whole[1:], "uniform"), "of a ragged axis": raises(lambda: whole[1], "not uniform"),
        "with steps": raises(lambda: whole[0:3:2], "stride"), "no partitions": raises(lambda: shape.from_row_partitions([])),
        "no list": raises(lambda: shape(p, [5]), "list"), "not of partitions": raises(lambda: shape([1], [5])),
        "a scalar": raises(lambda: shape([p], 5)), "too many items": raises(lambda: shape([p], [6], validate=True)),
        "rows that do not fit": raises(lambda: shape([p, p], [5], validate=True)),
        "nothing inside": ours(raised("ValueError"), raises(lambda: shape([p], []))),
    }  # fmt: skip
