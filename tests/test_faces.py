"""The faces have TensorFlow's names with TensorFlow's signatures, say what is missing, and switch modes only when asked."""

import enum
import inspect
import json
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

import pullback
from pullback.base.version import VERSION
from pullback.interop.faces import exports
from pullback.interop.names import tensorflow_names
from tests.programs import python

SIGNATURES = json.loads((Path(__file__).parent / "golden/data/signatures.json").read_text())
FACES = {"tf": pullback.compat.v2, "tf1": pullback.compat.v1}


def namespaces(space: str, module: types.ModuleType) -> Iterator[tuple[str, types.ModuleType]]:
    yield space, module
    for name in module.__all__:
        value = getattr(module, name)
        if isinstance(value, types.ModuleType) and value.__name__.startswith(module.__name__ + "."):
            yield from namespaces(f"{space}.{name}", value)


SPACES = dict(pair for face, module in FACES.items() for pair in namespaces(face, module))


@pytest.mark.parametrize("space", sorted(SPACES))
def test_every_name_is_there_and_is_tensorflows(space: str) -> None:
    module = SPACES[space]
    assert len(set(module.__all__)) == len(module.__all__)
    for name in module.__all__:
        assert hasattr(module, name)
    # contrib is gone from the TensorFlow that the list was made with, and nested flags and config were never in it
    if space in tensorflow_names() and space not in ("tf1.contrib",):
        assert set(module.__all__) - tensorflow_names()[space] <= OURS.get(space, set())


# Names that a face has beyond TensorFlow 2.21's listing of it.
LAYERS = {name for name in exports()["tf1.layers"] if name[0].isupper()}
OURS: dict[str, set[str]] = {"tf1": {"autodiff", "examples"}, "tf1.layers": LAYERS, "tf1.config.experimental": {"enable_op_determinism"}}


def parameters(value: object) -> list[list[str | None]] | None:
    try:
        found = inspect.signature(value).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    marks = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    return [[marks.get(p.kind, "") + p.name, None if p.default is p.empty else repr(p.default)] for p in found]


def callables() -> list[str]:
    return sorted(
        f"{space}.{name}"
        for space, module in SPACES.items()
        for name in module.__all__
        if f"{space}.{name}" in SIGNATURES and not isinstance(getattr(module, name), (types.ModuleType, types.UnionType))
    )


# Parameters that belong to what Pullback does not have.
NOT_OURS = {
    "layout": "distributed tensors",
    "handle_data": "the inside of resource tensors",
    "input_axes": "Keras initializers for kernels of any layout",
    "output_axes": "Keras initializers for kernels of any layout",
}

# Functions whose parameters differ, and why.
DIFFERENT = {
    "tf1.VariableScope": "made by variable_scope, which has them",
    "tf1.train.NewCheckpointReader": "one checkpoint, not a pattern",
}


@pytest.mark.parametrize("name", callables())
def test_takes_what_tensorflow_takes(name: str) -> None:
    """The same parameters in the same places; ours may have more at the end, or take the rest as `**kwargs`."""
    space, _, attribute = name.rpartition(".")
    taker = getattr(SPACES[space], attribute)
    ours = parameters(taker)
    assert ours is not None
    listed = SIGNATURES[name]
    if isinstance(taker, enum.EnumMeta) and sys.version_info >= (3, 12):  # the list is of Python 3.11, where enums had another signature
        listed = parameters(enum.Enum("Plain", "A B"))
        assert ours == listed
    theirs = [p for p, _ in listed if p and not p.startswith("*") and p not in NOT_OURS]
    found = [p for p, _ in ours if p and not p.startswith("*")]
    takes_the_rest = any(p and p.startswith("**") for p, _ in ours)
    same = not theirs or found[: len(theirs)] == theirs or (takes_the_rest and theirs[: len(found)] == found)
    assert same != (name in DIFFERENT), f"ours: {found}\ntheirs: {theirs}"


class TestMissingNames:
    @pytest.mark.parametrize(
        ("name", "said"),
        [
            ("placeholder", "tf.placeholder is TensorFlow 1's: write tf.compat.v1.placeholder"),
            ("reduce_sun", "TensorFlow has no tf.reduce_sun. The nearest name here: tf.reduce_sum"),
            ("feature_column", "tf.feature_column is not in Pullback: serving, tables and columns of features"),
            ("log", "tf.log is TensorFlow 1's"),
        ],
    )
    def test_face_two(self, name: str, said: str) -> None:
        with pytest.raises(AttributeError, match=r".") as caught:
            getattr(pullback, name)
        assert str(caught.value).startswith(said)

    def test_face_one(self) -> None:
        with pytest.raises(AttributeError, match=r"tf\.optimizers is TensorFlow 2's: write tf\.compat\.v2\.optimizers"):
            _ = pullback.compat.v1.optimizers

    def test_namespace(self) -> None:
        with pytest.raises(AttributeError, match=r"TensorFlow has no tf\.math\.sinn. The nearest name here: tf\.math\.sin"):
            _ = pullback.math.sinn

    def test_hasattr_is_plain(self) -> None:
        assert not hasattr(pullback, "Session") and hasattr(pullback.compat.v1, "Session")

    def test_dunder_is_plain(self) -> None:
        with pytest.raises(AttributeError, match="has no attribute '__wrapped__'"):
            _ = pullback.math.__wrapped__


class TestModes:
    """Each in a process of its own: the switches are for the whole program."""

    def run(self, text: str) -> str:
        done = python("-c", text)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def test_face_two_is_eager(self) -> None:
        assert self.run("import pullback as tf; tf.compat.v1.placeholder; print(tf.executing_eagerly())") == "True"

    def test_importing_face_one_changes_nothing(self) -> None:
        text = "; print(tf.executing_eagerly(), tf.Variable(1.0).dtype, repr(tf.zeros([2, 3]).shape[0]))"
        assert self.run(f"import pullback.compat.v1 as tf{text}") == "True <dtype: 'float32'> 2"
        assert self.run(f"import pullback.compat.v1 as tf; tf.disable_v2_behavior(){text}") == "False <dtype: 'float32_ref'> Dimension(2)"

    def test_versions(self) -> None:
        text = "import pullback, pullback.compat.v1 as v1; print(pullback.__version__, v1.__version__, pullback.compat.v2.__version__)"
        assert self.run(text) == f"{VERSION} 2.21.0 2.21.0"

    def test_face_one_made_eager(self) -> None:
        text = "tf.disable_v2_behavior(); tf.enable_eager_execution(); print(float(tf.square(3.0)))"
        assert self.run(f"import pullback.compat.v1 as tf; {text}") == "9.0"

    def test_switches(self) -> None:
        text = """
import pullback as tf
v1 = tf.compat.v1
v1.disable_v2_behavior()
print(tf.executing_eagerly(), v1.resource_variables_enabled(), repr(tf.zeros([2]).shape[0]))
v1.enable_resource_variables()
print(tf.Variable(1.0).dtype)
v1.enable_v2_behavior()
print(tf.executing_eagerly(), v1.resource_variables_enabled(), repr(tf.zeros([2]).shape[0]))
"""
        assert self.run(text).splitlines() == ["False False Dimension(2)", "<dtype: 'float32'>", "True True 2"]


def test_floating_point_warnings_of_kernels_are_silent() -> None:
    text = "import pullback as tf\nprint(tf.math.log(tf.constant([0.0, -1.0])).numpy(), float(tf.constant(1.0) / 0.0))"
    done = python("-W", "default", "-c", text)
    assert (done.stdout, done.stderr) == ("[-inf  nan] inf\n", "")
