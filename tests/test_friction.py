"""What a newcomer tries: each is told what to write instead, or it works."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from operator import attrgetter
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import pullback as tf
import pullback.compat.v1 as tf1
from pullback.interop.names import _PEERS, explain, tensorflow_names


@pytest.mark.parametrize("made", [tf.constant, tf.Variable], ids=["tensor", "variable"])
def test_assignment_to_an_element_names_what_does_it(made: type) -> None:
    x = made([1.0, 2.0])
    with pytest.raises(TypeError, match=r"does not support item assignment.*tf\.tensor_scatter_nd_update\(x, \[\[0\]\], \[3\.0\]\)"):
        x[0] = 3.0
    assert tf.tensor_scatter_nd_update(x, [[0]], [3.0]).numpy().tolist() == [3.0, 2.0]


def find_namespaces(face: ModuleType) -> Iterator[ModuleType]:
    """A face and the namespaces in it, at any depth."""
    yield face
    for name in dir(face):
        if name not in ("keras", "v1", "v2") and isinstance(space := getattr(face, name), ModuleType):
            if space.__name__.startswith("pullback"):
                yield from find_namespaces(space)


@pytest.mark.parametrize("face", [tf, tf1], ids=lambda face: face.__name__)
def test_dir_shows_public_names_only(face: ModuleType) -> None:
    spaces = list(find_namespaces(face))
    assert len(spaces) > 50
    for space in spaces:
        names = [name for name in dir(space) if name != "__version__"]
        assert not [name for name in names if name.startswith("_") or name in ("annotations", "np")], space
        assert "raw_ops" in space.__name__ or names == sorted({*space.__all__} - {"__version__"}), space


#: TensorFlow's own words, which its tests, and those of programs, look for.
TENSORFLOWS = (
    "ooling is not yet supported on the",
    "Current implementation does not yet support",
    "Partitioned variables are not yet supported when eager",
)


def test_no_message_promises_what_will_not_come() -> None:
    names = sorted((space, name) for space, names in tensorflow_names().items() for name in names)
    told = [explain(space, name) for space, name in names[::97]]
    assert not [text for text in told if " yet" in text]
    assert any("is not in Pullback" in text for text in told)
    sources = [path.read_text(encoding="utf-8") for path in Path(tf.__file__).parent.rglob("*.py")]
    found = [line for text in sources for line in text.splitlines() if re.search(r"not yet support|not support\w* yet", line)]
    assert not [line for line in found if not any(words in line for words in TENSORFLOWS)]


@pytest.mark.parametrize("path", ["load", "loader.load", "builder", "simple_save"])
def test_saved_models_of_tensorflow_1_are_told_what_to_use(path: str) -> None:
    with pytest.raises(AttributeError, match=r"Instead: tf\.saved_model\.save of a tf\.Module"):
        attrgetter(path)(tf1.saved_model)


def test_names_of_other_libraries_have_theirs_here() -> None:
    for name, here in _PEERS.items():
        with pytest.raises(AttributeError, match=rf"TensorFlow has no tf\.{name}\. Here it is tf\.{re.escape(here)}"):
            getattr(tf, name)
        for path in re.findall(r"tf\.([\w.]*\w)", f"tf.{here}"):
            assert callable(attrgetter(path)(tf))


@pytest.mark.parametrize("ask", [tf.value_and_gradient, tf.hessian, tf.optimize.minimize], ids=lambda ask: ask.__name__)
def test_a_list_for_a_vector_is_told(ask: Callable[..., object]) -> None:
    with pytest.raises(TypeError, match="unsupported operand") as caught:
        ask(lambda x: tf.reduce_sum(x**2), [1.0, 2.0])
    assert caught.value.__notes__ == [
        "The function is given a list of 2 numbers, because a list is a structure. For a vector, write tf.constant([...])."
    ]


def test_several_arguments_where_one_structure_is_given_are_told() -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument") as caught:
        tf.per_example_gradients(lambda w, b: w * b, [tf.constant([1.0, 2.0]), tf.constant(1.0)])
    assert caught.value.__notes__ == ["The function is given one argument, a list of 2: take it apart in the function."]


def test_a_variable_offers_its_value_by_dlpack() -> None:
    v = tf.Variable([1.0, 2.0])
    shared = np.from_dlpack(v)
    v.assign_add([1.0, 1.0])
    tf.function(lambda: v.assign_add([1.0, 1.0]), jit_compile=True)()
    assert shared.tolist() == [1.0, 2.0] and v.numpy().tolist() == [3.0, 4.0]
    assert tf.experimental.dlpack.from_dlpack(v).numpy().tolist() == [3.0, 4.0]


class Column:
    """Has an array, as a column of pandas has."""

    def __init__(self, values: np.ndarray) -> None:
        self._values = values

    def __array__(self, dtype: object = None, copy: bool | None = None) -> np.ndarray:
        return self._values


@pytest.mark.parametrize("graph", [False, True], ids=["eager", "graph"])
@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int64", "uint16", "bool", "complex128"])
def test_objects_with_arrays_keep_their_dtype(dtype: str, graph: bool) -> None:
    values = np.array([1, 0], dtype)
    with tf.Graph().as_default() if graph else nullcontext():
        made = [tf.constant(Column(values)), tf.convert_to_tensor(Column(values)), tf.stack([Column(values), Column(values)])]
        cast = tf.constant(Column(values), tf.complex64)
    assert [x.dtype.name for x in made] == [dtype] * 3 and cast.dtype == tf.complex64
    assert graph or made[2].numpy().tolist() == [values.tolist()] * 2


@pytest.mark.parametrize("graph", [False, True], ids=["eager", "graph"])
@pytest.mark.parametrize("kind", ["csr_array", "csr_matrix", "coo_array", "csc_array"])
def test_a_sparse_matrix_of_scipy_is_told_both_ways(kind: str, graph: bool) -> None:
    m = getattr(scipy.sparse, kind)(np.array([[0.0, 2.0], [0.0, 3.0]]))
    with tf.Graph().as_default() if graph else nullcontext():
        for ask in (tf.constant, tf.sin, lambda m: tf.matmul(m, tf.ones([2, 2]))):
            with pytest.raises((TypeError, ValueError), match=r"dense tensor by tf\.constant\(m\.toarray\(\)\).*tf\.Sparse") as caught:
                ask(m)
    (way,) = re.findall(r"a sparse one by (.*\))\.", str(caught.value))
    names = {"m": m, "np": np, "tf": tf}
    *statements, last = way.split("; ")
    for statement in statements:
        exec(statement, names)  # as the message says it
    assert tf.sparse.to_dense(tf.sparse.reorder(eval(last, names))).numpy().tolist() == [[0.0, 2.0], [0.0, 3.0]]


@pytest.mark.parametrize("made", [tf.constant, tf.Variable], ids=["tensor", "variable"])
def test_columns_of_pandas_become_tensors(made: Callable[..., tf.Tensor]) -> None:
    column, x = pd.Series([1.0, 2.0]), made([1.0, 2.0])
    for answer in (column + x, x + column, tf.add(column, x), pd.DataFrame({"a": column})["a"] * x):
        assert tf.is_tensor(answer) and answer.dtype == tf.float32
    assert (column - x).numpy().tolist() == [0.0, 0.0] and (column / x).numpy().tolist() == [1.0, 1.0]


def test_an_object_of_an_own_class_is_told_how_it_becomes_a_structure() -> None:
    class Pair:
        def __init__(self, left: object, right: object) -> None:
            self.left, self.right = left, right

    point = Pair(tf.constant(2.0), tf.constant(3.0))
    with pytest.raises(ValueError, match=r"as a structure, call tf\.register_structure\(Pair, flatten, unflatten\) first"):
        tf.value_and_gradient(lambda p: p.left * p.right, point)
    tf.register_structure(Pair, lambda p: ((p.left, p.right), None), lambda _, parts: Pair(*parts))
    _, slope = tf.value_and_gradient(lambda p: p.left * p.right, point)
    assert float(slope.left) == 3.0
