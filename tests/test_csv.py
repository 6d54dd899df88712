"""Datasets of comma-separated values, held against what TensorFlow 2.21 gives for the same files."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import pullback as tf

CsvDataset = tf.data.experimental.CsvDataset
make = tf.data.experimental.make_csv_dataset
Write = Callable[[str], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file and names it."""
    numbers = iter(range(100))

    def written(text: str) -> str:
        path = tmp_path / f"{next(numbers)}.csv"
        path.write_bytes(text.encode())
        return str(path)

    return written


def rows(dataset: Any) -> list[Any]:
    return [tuple(value.numpy() for value in element) for element in dataset]


def columns(dataset: Any, count: int = 3) -> list[Any]:
    return [tf.nest.map_structure(lambda value: value.numpy().tolist(), element) for element in dataset.take(count)]


S = tf.string


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,b\rc,d\r\ne,f", [(b"a", b"b"), (b"c", b"d"), (b"e", b"f")]),
        ('a,"b\nc"\n"d""e",f\n', [(b"a", b"b\nc"), (b'd"e', b"f")]),
        ('a,"b"', [(b"a", b"b")]),
        ('"a, b",c\r\n"",d', [(b"a, b", b"c"), (b"", b"d")]),
        ("", []),
    ],
)
def test_records_of_a_file(text: str, expected: list[Any], write: Write) -> None:
    assert rows(CsvDataset(write(text), [[""], S])) == expected


@pytest.mark.parametrize(
    ("text", "dtypes", "message"),
    [
        ('a,b"c\n', [S, S], "Unquoted fields cannot have quotes inside"),
        ('a,"bc', [S, S], "Reached end of file without closing quoted field in record"),
        ('a,"b"c\n', [S, S], "Reached end of file without closing quoted field in record"),
        ("a,b,c\n", [S, S], "Expect 2 fields but have more in record"),
        ("a\n", [S, S], "Expect 2 fields but have 1 in record"),
        ("a,b\n\nc,d", [S, S], "Field 0 is required but missing in record!"),
        ("1,2.5\n", [tf.int32, tf.int32], "Field 1 in record is not a valid int32: 2.5"),
        ("1,1_0\n", [tf.int32, tf.float32], "Field 1 in record is not a valid float: 1_0"),
        ("3000000000,1\n", [tf.int32, tf.float32], "Field 0 in record is not a valid int32: 3000000000"),
    ],
)
def test_records_that_do_not_fit(text: str, dtypes: list[Any], message: str, write: Write) -> None:
    # `as caught` would keep the error, and with it the open file, in a cycle
    with pytest.raises(tf.errors.InvalidArgumentError, match=re.escape(message)):
        rows(CsvDataset(write(text), dtypes))


def test_what_one_record_raises_ends_nothing(write: Write) -> None:
    dataset = CsvDataset(write("1\nx\n3\n"), [tf.int32]).apply(tf.data.experimental.ignore_errors())
    assert rows(dataset) == [(1,), (3,)]


def test_columns_headers_and_several_files(write: Write, tmp_path: Path) -> None:
    files = [write("n,x,w\n1,2.5,a\n"), write("n,x,w\n2,,b\n")]
    wanted = [(1, 2.5, b"a"), (2, 9.0, b"b")]
    assert rows(CsvDataset(files, [tf.int64, [9.0], S], header=True)) == wanted
    assert rows(tf.data.Dataset.from_tensor_slices(files).flat_map(lambda f: CsvDataset(f, [tf.int64, [9.0], S], header=True))) == wanted
    assert rows(CsvDataset(files, [tf.int64, S], header=True, select_cols=[0, 2])) == [(1, b"a"), (2, b"b")]
    assert rows(CsvDataset(files, [tf.int64, S], header=True, exclude_cols=[1])) == [(1, b"a"), (2, b"b")]
    assert rows(CsvDataset(write("1|NA\n"), [tf.int32, [5]], field_delim="|", na_value="NA")) == [(1, 5)]
    with gzip.open(tmp_path / "z.gz", "wt") as file:
        file.write("1,2\n")
    assert rows(CsvDataset(str(tmp_path / "z.gz"), [tf.int32, tf.int32], compression_type="GZIP")) == [(1, 2)]
    for arguments in ({"select_cols": [1, 0]}, {"select_cols": [0]}, {"field_delim": ",,"}, {"select_cols": [0, 1], "exclude_cols": [2]}):
        with pytest.raises(tf.errors.InvalidArgumentError):
            CsvDataset(files, [S, S], **arguments)


@pytest.mark.parametrize(
    ("text", "dtypes"),
    [
        ("i,f,s,n\n1,1.5,x,\n,,,\n3,2,y,NA\n", "int32 float32 string string"),
        ("i,f\n1,1.5\n2.5,x\n", "float32 string"),
        ("i,j\n,1\n5,99999999999\n", "int32 int64"),
        ("i,j\nTrue,1\n5,2147483648\n", "string int64"),
        ("i,j\nnan,1e-400\n", "string float32"),
        ("i,j\n3.0,3.4028236e38\n", "float32 float64"),
        ("i,j\n0x10,inf\n", "string string"),
        ("i,j\n", "string string"),
    ],
)
def test_dtypes_are_found(text: str, dtypes: str, write: Write) -> None:
    spec = make(write(text), 2, num_epochs=1).element_spec
    assert [value.dtype.name for value in spec.values()] == dtypes.split()


def test_batches_of_columns_by_name(write: Write) -> None:
    path = write("a,b,c\n10,2.5,x\n20,7,y\n")
    once: Any = {"num_epochs": 1, "shuffle": False}
    assert columns(make(path, 2, label_name="a", **once)) == [({"b": [2.5, 7.0], "c": [b"x", b"y"]}, [10, 20])]
    assert columns(make(path, 3, label_name="c", shuffle=False), 1) == [({"a": [10, 20, 10], "b": [2.5, 7.0, 2.5]}, [b"x", b"y", b"x"])]
    assert columns(make(path, 2, select_columns=["c", "a"], **once)) == [{"a": [10, 20], "c": [b"x", b"y"]}]
    assert columns(make(path, 2, select_columns=[0], column_defaults=[tf.float64], **once)) == [{"a": [10.0, 20.0]}]
    assert columns(make(path, 3, header=False, column_names=["x", "y", "z"], select_columns=["z"], **once)) == [{"z": [b"c", b"x", b"y"]}]


def test_an_encoding_is_of_the_names(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes("größe,wort\n1,é\n2,b\n".encode("latin-1"))
    from_latin = partial(make, str(path), 2, num_epochs=1, shuffle=False)
    assert list(next(iter(from_latin(encoding="latin-1")))) == ["größe", "wort"]
    with pytest.raises(UnicodeDecodeError):
        from_latin()


def test_the_order_is_tensorflows(write: Write) -> None:
    path = write("".join(["n,m\n", *(f"{i},{i / 2}\n" for i in range(30))]))
    found = [batch["n"] for batch in columns(make(path, 5, num_epochs=1, shuffle_seed=7))]
    assert found == [[22, 25, 10, 12, 5], [8, 26, 13, 24, 2], [3, 0, 23, 27, 17]]
    found = [batch["n"] for batch in columns(make(path, 4, num_epochs=2, shuffle_buffer_size=6, shuffle_seed=2))]
    assert found == [[2, 6, 4, 8], [1, 0, 7, 5], [13, 11, 12, 10]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"header": False}, "Expected `column_names` or `header` arguments. Neither is provided."),
        ({"label_name": "q"}, "`label_name` provided must be one of the columns: ['a', 'b']. Received: q."),
        ({"column_names": ["x", "x"]}, "duplicate column names: {'x'}"),
        ({"select_columns": ["q"]}, "Column q specified in `select_columns` must be of one of the columns"),
        ({"select_columns": [2]}, "Column index 2 specified in `select_columns`"),
        ({"select_columns": ["a"], "column_defaults": [[0], [0]]}, "`column_defaults` must have the same length as `select_columns`"),
    ],
)
def test_tables_that_do_not_fit(arguments: dict[str, Any], message: str, write: Write) -> None:
    with pytest.raises(ValueError) as caught:
        make(write("a,b\n1,2\n"), 1, **arguments)
    assert message in str(caught.value)


def test_files_that_do_not_fit_each_other(write: Write, tmp_path: Path) -> None:
    first, other = write("a,b\n1,2\n"), write("a,c\n1,2\n")
    with pytest.raises(ValueError, match="should have the same column names in the header row"):
        make([first, other], 1)
    with pytest.raises(ValueError, match="Is it an empty file"):
        make(write(""), 1)
    with pytest.raises(ValueError, match="No files match"):
        make(str(tmp_path / "none*"), 1)
    with pytest.raises(ValueError, match=r"CSV row 3 has 1 number of fields\. Expected: 2"):
        make(write("a,b\n1,2\n3\n"), 1)
