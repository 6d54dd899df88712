"""`tf.experimental.StructuredTensor`: made of fields and of Python's values, indexed, parted, merged and changed."""

from __future__ import annotations

from typing import Any

from tests.golden.programs.kit import ours, raised, raises

FACE = "v2"
PEOPLE = [{"age": 12, "names": ["J"]}, {"age": 82, "names": ["B", "Bo"]}, {"age": 42, "names": ["E"]}]
ROWS = [[{"a": 1, "s": {"b": [1, 2]}}, {"a": 2, "s": {"b": [3]}}], [], [{"a": 3, "s": {"b": []}}]]
BOOKS = [{"pages": [{"words": [1, 2]}, {"words": [3]}]}, {"pages": [{"words": [7]}]}]


def _shown(call: Any) -> Any:
    """The representation of a structured tensor, its shape, partitions, and Python's values."""

    def answer() -> Any:
        x = call()
        plain = x.to_pyval()
        return [repr(x), x.shape, x.rank, [repr(p) for p in x.row_partitions], repr(_sorted(plain))]

    return answer


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(part) for part in value] if isinstance(value, list) else value


def made(tf: Any) -> dict[str, Any]:
    kind, rows = tf.experimental.StructuredTensor, tf.experimental.RowPartition
    lengths = tf.experimental.DynamicRaggedShape.from_lengths
    parted = [rows.from_row_splits([0, 1, 3])]
    good = {
        "people": lambda: kind.from_pyval(PEOPLE), "rows": lambda: kind.from_pyval(ROWS), "nested": lambda: kind.from_pyval(BOOKS),
        "one": lambda: kind.from_pyval({"a": [1, 2, 3], "b": [[4.5]], "c": "x"}), "no fields": lambda: kind.from_pyval([{}, {}]),
        "no fields, rows": lambda: kind.from_pyval([[{}], [{}, {}]]),
        "fields": lambda: kind.from_fields({"x": 1, "y": [1, 2, 3]}), "vectors": lambda: kind.from_fields({"f": [1, 2], "b": [3, 4]}, [2]),
        "matrices": lambda: kind.from_fields({"f": [[1, 2], [3, 4]]}, [2, 2]),
        "a matrix and more": lambda: kind.from_fields({"f": [[1, 2], [3, 4]], "g": [[[1.0], [2.0]], [[3.0], [4.0]]]}, [None, None]),
        "ragged": lambda: kind.from_fields({"f": tf.ragged.constant([[1], [2, 3]])}, [None, None]),
        "rows given": lambda: kind.from_fields({}, [None], nrows=3),
        "partitions given": lambda: kind.from_fields({}, [None, None], row_partitions=parted),
        "by rank": lambda: kind.from_fields_and_rank({"x": [[1, 2]], "y": [[[1], [2]]]}, 2),
        "of a shape": lambda: kind.from_shape(lengths([2, (1, 2)])),
        "itself": lambda: kind(fields={"a": tf.constant([1, 2])}, ragged_shape=lengths([2])),
    }  # fmt: skip
    bad = {
        "other sizes": lambda: kind.from_fields({"f": [1, 2], "b": [3]}, [None]),
        "not of the shape": lambda: kind.from_fields({"f": [1, 2]}, [3]),
        "no dictionary": lambda: kind.from_fields(3), "a number as a name": lambda: kind.from_fields({3: 1}),
        "a strange name": lambda: kind.from_fields({"a b": 1}), "an object": lambda: kind.from_fields({"a": object()}),
        "nothing said": lambda: kind.from_fields({}, [None]), "rows of one": lambda: kind.from_fields({"a": 1}, [], nrows=3),
        "no rank": lambda: kind.from_fields({"a": [1]}, None),
        "partitions of a vector": lambda: kind.from_fields({"a": [1]}, [1], row_partitions=parted),
        "no fields at all": lambda: kind.from_fields_and_rank({}, 1), "a negative rank": lambda: kind.from_fields_and_rank({"a": 1}, -1),
        "a number among them": lambda: kind.from_pyval([{"a": 1}, 3]), "other names": lambda: kind.from_pyval([{"a": 1}, {"b": 2}]),
        "other depths": lambda: kind.from_pyval([{"a": 1}, [{"a": 1}]]),
    }  # fmt: skip
    return {
        **{name: _shown(call) for name, call in good.items()},
        **{name: raises(call) for name, call in bad.items()},
        "too few axes": ours(raised("ValueError"), raises(lambda: kind.from_fields({"f": 1}, [None]))),
        "plain ones": lambda: [kind.from_pyval([1, 2]), kind.from_pyval(3), kind.from_pyval([])],
        "dtype": lambda: [kind.from_pyval(ROWS).with_shape_dtype(t).row_partitions[0].dtype for t in (tf.int32, tf.int64)],
        "by spec": lambda: repr(kind.from_pyval([{"a": 5}], kind.from_fields({"a": [1]}, [1])._type_spec)),
        "not by spec": raises(lambda: kind.from_pyval([{"a": 1}], kind.from_pyval(PEOPLE)._type_spec), "does not match typespec"),
        "names": lambda: sorted(kind.from_pyval(PEOPLE).field_names()),
    }


def indexed(tf: Any) -> dict[str, Any]:
    kind = tf.experimental.StructuredTensor
    p, q = kind.from_pyval(PEOPLE), kind.from_pyval(ROWS)
    return {
        "one": _shown(lambda: p[0]), "the last": _shown(lambda: p[-1]), "some": _shown(lambda: p[1:]), "rows": _shown(lambda: q[0]),
        "in a row": _shown(lambda: q[0, 1]), "row by row": _shown(lambda: q[:, :1]), "by a tensor": _shown(lambda: p[tf.constant(1)]),
        "all of one": _shown(lambda: p[0][:]),
        "fields": lambda: [p[0]["age"], p[:, "age"], p[1, "names", 0], p.field_value("age"), p.nrows()],
        "ragged fields": lambda: [p[:, "names"].to_list(), q.field_value(("s", "b")).to_list(), q[0, :, "a"]],
        "no such field": raises(lambda: p.field_value("x"), "x"), "no path": raises(lambda: p.field_value(("age", "x"))),
        "a new axis": raises(lambda: p[None], "newaxis"), "dots": raises(lambda: p[...], "not supported"),
        "a number of one": raises(lambda: p[0][0], "string"), "a number behind": raises(lambda: p[0, 0]),
        "in a function": lambda: repr(tf.function(lambda x: x[1:].with_updates({"age": lambda t: t * 2}))(p)),
        "mapped": lambda: tf.map_fn(lambda x: x["age"] + tf.size(x["names"]), p, fn_output_signature=tf.int32),
        "equal": lambda: [p == p[:], p[1:] == p[:2]],
        "chosen": lambda: tf.cond(tf.constant(False), lambda: p, lambda: p.with_updates({"age": lambda t: -t}))[0]["age"],
        "flat": lambda: [len(t.shape) for t in tf.nest.flatten(p.field_value("names"), expand_composites=True)],
        "a tensor": lambda: tf.is_tensor(p),
    }  # fmt: skip


def changed(tf: Any) -> dict[str, Any]:
    kind, rows = tf.experimental.StructuredTensor, tf.experimental.RowPartition
    p, q, d = (kind.from_pyval(x) for x in (PEOPLE, ROWS, BOOKS))
    numbers = kind.from_fields({"a": [1, 2, 3, 4]}, [4])
    matrix = kind.from_fields({"a": [[1, 2], [3, 4]], "b": [[[1], [2]], [[3], [4]]]}, [2, 2])

    def slopes() -> Any:
        x = tf.constant([1.0, 2.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = kind.from_fields({"x": x}, [2]).with_updates({"x": lambda t: t * t})[1]["x"]
        return tape.gradient(y, x)

    good = {
        "parted": lambda: p.partition_outer_dimension(rows.from_row_lengths([2, 0, 1])),
        "parted again": lambda: q.partition_outer_dimension(rows.from_row_lengths([1, 2])),
        "parted evenly": lambda: numbers.partition_outer_dimension(rows.from_uniform_row_length(2, nvals=4)),
        "merged": lambda: q.merge_dims(0, 1), "merged by negative axes": lambda: q.merge_dims(-2, -1),
        "a matrix merged": lambda: matrix.merge_dims(0, 1),
        "promoted": lambda: d.promote(("pages", "words"), "words"),
        "updated": lambda: p.with_updates({"age": lambda t: t + 1, "new": [1, 2, 3]}),
        "inside": lambda: d.with_updates({("pages", "words"): lambda t: t * 2}), "left out": lambda: p.with_updates({"age": None}),
    }  # fmt: skip
    bad = {
        "one parted": lambda: q[0, 0].partition_outer_dimension(rows.from_row_lengths([2])),
        "no partition": lambda: p.partition_outer_dimension(3),
        "axes in the wrong order": lambda: q.merge_dims(1, 0), "no such axis": lambda: q.merge_dims(0, 2),
        "a short path": lambda: d.promote(("pages",), "x"), "no path": lambda: d.promote("pages", "x"),
        "no name": lambda: d.promote(("pages", "words"), 3),
        "nothing to leave out": lambda: p.with_updates({"z": None}), "nothing to change": lambda: p.with_updates({"z": lambda x: x}),
        "below nothing": lambda: p.with_updates({("z", "y"): 1}), "below a tensor": lambda: p.with_updates({("age", "y"): 1}),
        "into one another": lambda: d.with_updates({"pages": 1, ("pages", "words"): 2}),
        "another size": lambda: p.with_updates({"age": [1, 2]}),
        "an empty name": lambda: p.with_updates({"": 1}),
    }  # fmt: skip
    return {**{name: _shown(call) for name, call in good.items()}, **{name: raises(call) for name, call in bad.items()}, "gradient": slopes}
