"""Datasets: their threads, what happens to errors in them, and what an iterator that nobody finishes leaves behind."""

from __future__ import annotations

import gc
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.tensorflow.datasets import threads as dataset_threads

from .test_interrupts import run_and_interrupt

PATIENCE = 30.0
range_of = tf.data.Dataset.range


def threads() -> list[threading.Thread]:
    return [t for t in threading.enumerate() if t.name in ("pullback prefetch", "pullback map")]


def wait_until(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    return holds()


def endless(prefetch: int = 3) -> Any:
    return range_of(10**9).map(lambda i: i + 1, num_parallel_calls=2).batch(2).prefetch(prefetch)


@pytest.mark.parametrize("taken", [1, 4])
def test_an_iterator_that_nobody_finishes_ends_its_threads(taken: int) -> None:
    assert wait_until(lambda: not threads())
    iterator = iter(endless())
    for _ in range(taken):
        next(iterator)
    assert threads()
    del iterator
    gc.collect()
    assert wait_until(lambda: not threads())


def test_a_loop_that_is_left_ends_its_threads() -> None:
    for batch in endless():
        if int(batch[0]) > 20:
            break
    gc.collect()
    assert wait_until(lambda: not threads())


@pytest.mark.parametrize("handing_on", [float("inf"), 0.0])
def test_tuned_datasets_start_threads_where_elements_take_longer_than_handing_them_on(
    handing_on: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert wait_until(lambda: not threads())
    monkeypatch.setattr(dataset_threads, "_HANDING_ON", handing_on)
    dataset = range_of(200).map(lambda i: tf.debugging.check_numerics(6 / (i - 7), ""), num_parallel_calls=tf.data.AUTOTUNE)
    iterator = iter(dataset.prefetch(tf.data.AUTOTUNE))
    found = [float(next(iterator)) for _ in range(7)]
    np.testing.assert_allclose(found, [6 / (i - 7) for i in range(7)])
    assert bool(threads()) is (handing_on == 0.0)
    with pytest.raises(tf.errors.InvalidArgumentError):
        next(iterator)
    found = [float(x) for x in dataset.ignore_errors().prefetch(tf.data.AUTOTUNE)]
    np.testing.assert_allclose(found, [6 / (i - 7) for i in range(200) if i != 7])
    del iterator
    gc.collect()
    assert wait_until(lambda: not threads())


def test_a_finished_iterator_ends_its_threads() -> None:
    iterator = iter(range_of(10).map(lambda i: i, num_parallel_calls=2).prefetch(2))
    assert [int(i) for i in iterator] == list(range(10))
    assert wait_until(lambda: not threads())


def test_a_thread_works_ahead_so_far_and_no_further() -> None:
    made = []

    def numbers() -> Any:
        for i in range(100):
            made.append(i)
            yield i

    iterator = iter(tf.data.Dataset.from_generator(numbers, output_signature=tf.TensorSpec([], tf.int32)).prefetch(5))
    next(iterator)
    assert wait_until(lambda: len(made) >= 6)
    time.sleep(0.05)
    assert len(made) <= 7  # one taken, five waiting, one in hand


@pytest.mark.parametrize("how", [{}, {"num_parallel_calls": 2}])
def test_an_error_in_a_thread_arrives_with_the_line_of_the_program(how: dict[str, Any]) -> None:
    def inverted(i: Any) -> Any:
        return tf.debugging.check_numerics(1.0 / tf.cast(i - 5, tf.float32), "inverted")  # the line

    iterator = iter(range_of(10).map(inverted, **how).prefetch(2))
    found = [next(iterator) for _ in range(5)]
    assert len(found) == 5
    with pytest.raises(tf.errors.InvalidArgumentError, match="inverted") as caught:
        next(iterator)
    assert "# the line" in str(caught.value) or "test_data.py" in "".join(traceback.format_exception(caught.value))


def test_an_error_of_a_generator_names_its_line() -> None:
    def numbers() -> Any:
        yield 1
        raise ValueError("no more numbers")

    dataset = tf.data.Dataset.from_generator(numbers, output_signature=tf.TensorSpec([], tf.int32)).prefetch(1)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"ValueError: no more numbers[\s\S]*test_data\.py"):
        list(dataset)


def test_what_maps_side_by_side_keeps_its_order() -> None:
    def slow(i: Any) -> Any:
        return tf.numpy_function(lambda n: (time.sleep(0.002 * (n % 3)), n)[1], [i], tf.int64)

    assert [int(i) for i in range_of(40).map(slow, num_parallel_calls=4)] == list(range(40))


def test_several_threads_share_an_iterator() -> None:
    iterator = iter(range_of(300).prefetch(4))
    found: list[int] = []

    def take() -> None:
        found.extend(int(i) for i in iterator)

    takers = [threading.Thread(target=take) for _ in range(3)]
    for taker in takers:
        taker.start()
    for taker in takers:
        taker.join(PATIENCE)
    assert sorted(found) == list(range(300))


def test_elements_are_nobody_elses_to_change() -> None:
    rows = np.zeros((3, 2), np.float32)
    dataset = tf.data.Dataset.from_tensor_slices(rows)
    for row in dataset.as_numpy_iterator():
        row += 1.0
    assert [row.tolist() for row in dataset.as_numpy_iterator()] == [[0.0, 0.0]] * 3
    rows += 5.0
    assert next(dataset.as_numpy_iterator()).tolist() == [0.0, 0.0]


def test_a_program_is_interrupted_while_it_waits() -> None:
    printed = run_and_interrupt(
        """
        def slow():
            time.sleep(1000)
            yield 1
        dataset = tf.data.Dataset.from_generator(slow, output_signature=tf.TensorSpec([], tf.int32)).prefetch(1)
        list(tf.data.Dataset.range(3).prefetch(1))
        print(interrupted(list, dataset))
        """,
        [0.5],
    )
    assert printed.endswith("True\n")


def test_records_of_any_length_have_the_checksum_of_the_plain_loop(tmp_path: Path) -> None:
    path = str(tmp_path / "records")
    records = [bytes(np.random.default_rng(n).integers(0, 256, n).astype(np.uint8)) for n in (0, 1, 7, 1000, 200_000)]
    with tf.io.TFRecordWriter(path) as writer:
        for record in records:
            writer.write(record)
    assert list(tf.data.TFRecordDataset(path).as_numpy_iterator()) == records


def test_the_next_element_in_a_function_without_autograph() -> None:
    @tf.function(autograph=False)
    def two(iterator: Any) -> Any:
        return next(iterator) + next(iterator)

    iterator = iter(range_of(100))
    assert (two(iterator).numpy(), two(iterator).numpy(), next(iterator).numpy()) == (1, 5, 4)
    with pytest.raises(ValueError, match="needs AutoGraph"):
        tf.function(lambda given: sum(given), autograph=False)(iterator)
    with pytest.raises(tf.errors.OutOfRangeError):
        two(iter(range_of(1)))


@pytest.mark.parametrize(("drops", "expected"), [(False, [[0, 1], [2], [3], [4]]), (True, [[0, 1], [2], [3]])])
def test_sizes_of_batches_take_turns(drops: bool, expected: list[list[int]]) -> None:
    batches = tf.data.Dataset.range(5).batch(3).rebatch([2, 1, 1], drop_remainder=drops)
    assert [batch.numpy().tolist() for batch in batches] == expected


_FEATURES = {
    "v": [3, 1, 4, 1, 5, 9], "splits": [0, 2, 3, 3, 6], "lengths": [2, 1, 0, 3], "starts": [0, 2, 3, 3], "limits": [2, 3, 3, 6],
    "ids": [0, 0, 1, 3, 3, 3],
}  # fmt: skip
_Feature = tf.io.RaggedFeature
_PARTED = [
    ([_Feature.RowSplits("splits")], [[3, 1], [4], [], [1, 5, 9]]),
    ([_Feature.RowLengths("lengths")], [[3, 1], [4], [], [1, 5, 9]]),
    ([_Feature.RowStarts("starts")], [[3, 1], [4], [], [1, 5, 9]]),
    ([_Feature.RowLimits("limits")], [[3, 1], [4], [], [1, 5, 9]]),
    ([_Feature.ValueRowIds("ids")], [[3, 1], [4], [], [1, 5, 9]]),
    ([_Feature.UniformRowLength(2)], [[3, 1], [4, 1], [5, 9]]),
    ([_Feature.UniformRowLength(3), _Feature.UniformRowLength(2)], [[[3, 1], [4, 1], [5, 9]]]),
    ([_Feature.UniformRowLength(2), _Feature.RowSplits("splits")], [[[3, 1], [4]], [[], [1, 5, 9]]]),
]


def _example(features: dict[str, list[int]]) -> bytes:
    made = {key: tf.train.Feature(int64_list=tf.train.Int64List(value=values)) for key, values in features.items()}
    return bytes(tf.train.Example(features=tf.train.Features(feature=made)).SerializeToString())


@pytest.mark.parametrize(("partitions", "rows"), _PARTED)
def test_features_part_the_values_of_others(partitions: list[Any], rows: list[Any]) -> None:
    features = {"f": _Feature(tf.int64, "v", partitions)}
    one = tf.io.parse_single_example(_example(_FEATURES), features)["f"]
    assert (one.to_list() if hasattr(one, "to_list") else one.numpy().tolist()) == rows
    several = tf.data.Dataset.from_tensors([_example(_FEATURES), _example({}), _example(_FEATURES)])
    assert next(iter(several.map(lambda data: tf.io.parse_example(data, features))))["f"].to_list() == [rows, [], rows]


@pytest.mark.parametrize("partition", [_Feature.RowSplits("lengths"), _Feature.ValueRowIds("lengths"), _Feature.UniformRowLength(4)])
def test_parts_that_do_not_fit_are_refused(partition: Any) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="RaggedFeature f, Index: 0: the partitions do not form a valid RaggedTensor"):
        tf.io.parse_single_example(_example(_FEATURES), {"f": _Feature(tf.int64, "v", [partition])})
    with pytest.raises(TypeError, match="got: 's'"):
        _Feature(tf.int64, "v", ["s"])


def test_values_of_tables_may_be_vectors(tmp_path: Path) -> None:
    table = tf.lookup.experimental.MutableHashTable(tf.string, tf.float32, [0.0, 0.0])
    table.insert(["a", "b"], [[1.0, 2.0], [3.0, 4.0]])
    for find in (table.lookup, tf.function(table.lookup)):
        assert find(tf.constant([["b"], ["x"]])).numpy().tolist() == [[[3.0, 4.0]], [[0.0, 0.0]]]
    given = table.lookup(tf.constant(["a", "z"]), dynamic_default_values=[[9.0, 9.0], [8.0, 8.0]])
    assert given.numpy().tolist() == [[1.0, 2.0], [8.0, 8.0]]
    keys, values = table.export()
    assert (keys.numpy().tolist(), values.numpy().tolist()) == ([b"a", b"b"], [[1.0, 2.0], [3.0, 4.0]])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Expected shape \[1,2\] for value, got \[1,3\]"):
        table.insert(["c"], [[1.0, 2.0, 3.0]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="Default value must be a vector"):
        tf.lookup.experimental.MutableHashTable(tf.string, tf.float32, [[0.0]])
    with pytest.raises(ValueError, match=r"Shapes \(2,\) and \(\) are not compatible"):
        tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [1.0]), [0.0, 0.0])


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("default", [-1, [0, 0]])
def test_checkpoints_keep_tables(kept: bool, default: Any, tmp_path: Path) -> None:
    def table() -> Any:
        return tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, default, checkpoint=kept)

    first, second = table(), table()
    value = 7 if default == -1 else [7, 8]
    first.insert([b"\xff"], [value])
    path = tf.train.Checkpoint(table=first).save(tmp_path / "c")
    tf.train.Checkpoint(table=second).restore(path)
    assert second.lookup(tf.constant([b"\xff"])).numpy().tolist() == [value if kept else default]


def test_dense_tables(tmp_path: Path) -> None:
    def table(**more: Any) -> Any:
        given = {"default_value": -1, "empty_key": "", "deleted_key": "$"}
        return tf.lookup.experimental.DenseHashTable(tf.string, tf.int64, **{**given, **more})

    words = table(initial_num_buckets=4)
    words.insert(["a", "b"], [1, 2])
    words.erase(tf.constant(["a"]))
    assert (words.lookup(tf.constant(["a", "b"])).numpy().tolist(), int(words.size())) == ([-1, 2], 1)
    for key, name in (("", "empty_key"), ("$", "deleted_key")):
        for use in (lambda k: words.insert(k, [1]), lambda k: words.lookup(k), lambda k: words.remove(k)):
            with pytest.raises(tf.errors.InvalidArgumentError, match=f"Using the {name} as a table key is not allowed"):
                use(tf.constant([key]))
    for wrong in ({"deleted_key": ""}, {"initial_num_buckets": 3}, {"initial_num_buckets": 0}):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"cannot be equal|at least 4 and a power of 2"):
            table(**wrong)
    pairs = tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, default_value=-1, empty_key=[0, 0], deleted_key=[-5, -5])
    pairs.insert_or_assign(tf.constant([[1, 2]], tf.int64), [3])
    assert pairs.lookup([[1, 2], [3, 4]]).numpy().tolist() == [3, -1]


@pytest.mark.parametrize("compression", [None, "GZIP"])
def test_saved_datasets_are_loaded(compression: str | None, tmp_path: Path) -> None:
    numbers = tf.data.Dataset.range(3).map(lambda i: {"i": i, "s": tf.strings.as_string(i), "h": tf.cast(i, tf.bfloat16)})
    rows = tf.data.Dataset.range(3).map(lambda i: (tf.RaggedTensor.from_row_splits([i, i, i], [0, 1, 3]), tf.sparse.from_dense([i, 0, 1])))
    dataset = tf.data.Dataset.zip(numbers, rows)
    dataset.save(tmp_path / "d", compression)
    loaded = tf.data.Dataset.load(tmp_path / "d", compression=compression)
    assert loaded.element_spec == dataset.element_spec
    for (a, (ragged, sparse)), (b, (other, there)) in zip(dataset, loaded, strict=True):
        assert {key: (x.dtype, x.numpy()) for key, x in a.items()} == {key: (x.dtype, x.numpy()) for key, x in b.items()}
        assert ragged.to_list() == other.to_list()
        assert tf.sparse.to_dense(sparse).numpy().tolist() == tf.sparse.to_dense(there).numpy().tolist()


def test_folders_without_a_dataset_are_refused(tmp_path: Path) -> None:
    with pytest.raises(tf.errors.NotFoundError):
        tf.data.Dataset.load(tmp_path / "none")
    tf.data.Dataset.range(2).save(tmp_path / "d")
    for name in ("dataset.json", "elements.tfrecord"):
        file = tmp_path / "d" / name
        whole = file.read_bytes()
        file.write_bytes(whole[: len(whole) // 2])
        with pytest.raises(tf.errors.DataLossError):
            list(tf.data.Dataset.load(tmp_path / "d"))
        file.write_bytes(whole)
    with pytest.raises(NotImplementedError, match="no `shard_func`"):
        tf.data.Dataset.range(2).save(tmp_path / "e", shard_func=lambda i: 0)


def test_an_iterator_has_the_older_ways_too() -> None:
    iterator = iter(tf.data.Dataset.range(2))
    assert int(iterator.next()) == 0 and (iterator.output_types, iterator.output_shapes) == (tf.int64, tf.TensorShape([]))
    assert iterator.output_classes is tf.Tensor and int(iterator.next()) == 1
    with pytest.raises(StopIteration):
        iterator.next()
