"""SavedModels: files that were damaged or made up, what is refused, and that nobody ever reads half of one."""

from __future__ import annotations

import copy
import errno
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.background import wait_for_compiles
from pullback.tensorflow.saved_model.saving import DOCUMENT
from pullback.tensorflow.saved_model.spec_names import class_of_spec, name_of_spec, register
from pullback.train.packing import pack, unpack

FILE = "saved_model.safetensors"


class Net(tf.Module):
    """Layers with a loop, a branch, a list and constants."""

    def __init__(self) -> None:
        super().__init__()
        start = tf.random.stateless_normal([3, 3], [1, 2])
        self.layers = [tf.Variable(start), tf.Variable(start * 0.5)]
        self.scale = {"out": tf.Variable(0.7)}
        self.table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), -1)

    @tf.function(input_signature=[tf.TensorSpec([None, 3])])
    def __call__(self, x: Any) -> Any:
        for _ in tf.range(2):
            for layer in self.layers:
                x = tf.tanh(x @ layer)
        return x * self.scale["out"] if tf.reduce_sum(x) > 0.0 else -x

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def look(self, words: Any) -> Any:
        return self.table.lookup(words)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """The folder of a SavedModel."""
    tf.saved_model.save(Net(), tmp_path / "net")
    return tmp_path / "net"


def rewrite(folder: Path, change: Callable[[Any], None]) -> None:
    """Change the document of a SavedModel; the checksum is right again."""
    arrays, nodes = unpack((folder / FILE).read_bytes())
    document = json.loads(arrays[DOCUMENT].tobytes())
    change(document)
    arrays[DOCUMENT] = np.frombuffer(json.dumps(document).encode(), np.uint8)
    (folder / FILE).write_bytes(pack(arrays, nodes))


# ---- what is right


def test_training_goes_on_as_it_would_have(tmp_path: Path) -> None:
    x, y = tf.random.stateless_normal([8, 3], [3, 4]), tf.random.stateless_normal([8, 3], [5, 6])

    def train(net: Any) -> list[float]:
        losses = []
        for _ in range(4):
            variables = [*net.layers, net.scale["out"]]
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((net(x) - y) ** 2)
            for v, g in zip(variables, tape.gradient(loss, variables), strict=True):
                v.assign_sub(0.1 * g)
            losses.append(loss.numpy().item())
        return losses

    net = Net()
    train(net)
    tf.saved_model.save(net, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    assert train(loaded) == pytest.approx(train(net), rel=1e-6)
    wait_for_compiles()
    assert train(loaded) == pytest.approx(train(net), rel=1e-5)


def test_second_order_through_a_loop(saved: Path) -> None:
    net, loaded = Net(), tf.saved_model.load(saved)
    x = tf.random.stateless_normal([2, 3], [7, 8])

    def second(module: Any) -> Any:
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                value = tf.reduce_sum(module(x) ** 2)
            first = inner.gradient(value, module.layers[0])
            total = tf.reduce_sum(first**2)
        return outer.gradient(total, module.layers[1])

    np.testing.assert_allclose(second(loaded), second(net), rtol=1e-5)


def test_jacobians_and_forward_mode(saved: Path) -> None:
    net, loaded = Net(), tf.saved_model.load(saved)
    x = tf.random.stateless_normal([2, 3], [7, 8])

    def derivatives(module: Any) -> list[Any]:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = module(x)
        with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
            z = module(x)
        return [tape.jacobian(y, x).numpy(), accumulator.jvp(z).numpy()]

    for found, wanted in zip(derivatives(loaded), derivatives(net), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-7)


def test_eagerly_run_functions(saved: Path) -> None:
    loaded, x = tf.saved_model.load(saved), tf.ones([1, 3])
    wanted = loaded(x).numpy()
    tf.config.run_functions_eagerly(True)
    try:
        assert loaded(x).numpy().tolist() == wanted.tolist()
    finally:
        tf.config.run_functions_eagerly(False)


def test_a_loaded_function_is_native(tmp_path: Path) -> None:
    module = tf.Module()
    module.v = tf.Variable(tf.ones([3, 3]))
    module.f = tf.function(lambda x: tf.tanh(x @ module.v), input_signature=[tf.TensorSpec([None, 3])])
    tf.saved_model.save(module, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    assert any("MatMul" in part.operations for part in loaded.f.explain(tf.ones([2, 3])).parts)


def test_checkpoints_read_it(saved: Path) -> None:
    net = Net()
    for v in net.variables:
        v.assign(tf.zeros_like(v))
    tf.train.Checkpoint(net).read(saved).expect_partial()
    assert net.scale["out"].numpy() == np.float32(0.7)
    assert ["layers/0/.ATTRIBUTES/VARIABLE_VALUE", [3, 3]] in [list(pair) for pair in tf.train.list_variables(str(saved))]


def test_aliases(tmp_path: Path) -> None:
    module = tf.Module()
    module.f = tf.function(lambda x: 2.0 * x, input_signature=[tf.TensorSpec([])])
    tf.saved_model.save(module, tmp_path, options=tf.saved_model.SaveOptions(function_aliases={"double": module.f}))
    assert not hasattr(tf.saved_model.load(tmp_path), "function_aliases")
    loaded = tf.saved_model.load(tmp_path, options=tf.saved_model.LoadOptions(experimental_load_function_aliases=True))
    assert loaded.function_aliases["double"](3.0).numpy() == 6.0


# ---- what is refused


def test_python_is_not_saved(tmp_path: Path) -> None:
    module = tf.Module()
    module.f = tf.function(lambda x: tf.py_function(lambda v: v + 1, [x], tf.float32), input_signature=[tf.TensorSpec([])])
    with pytest.raises(ValueError, match=r"EagerPyFunc.*test_saved_model.py.*no Python"):
        tf.saved_model.save(module, tmp_path)
    assert not list(tmp_path.iterdir())


def test_without_custom_gradients(tmp_path: Path) -> None:
    halved = tf.custom_gradient(lambda x: (x * x, lambda g: g * x))
    module = tf.Module()
    module.f = tf.function(halved, input_signature=[tf.TensorSpec([])])
    tf.saved_model.save(module, tmp_path, options=tf.saved_model.SaveOptions(experimental_custom_gradients=False))
    loaded, x = tf.saved_model.load(tmp_path), tf.constant(3.0)
    assert loaded.f(x).numpy() == 9.0
    with pytest.raises(LookupError, match="saved without the gradients"), tf.GradientTape() as tape:
        tape.watch(x)
        tape.gradient(loaded.f(x), x)


def test_other_formats_are_named(tmp_path: Path) -> None:
    (tmp_path / "saved_model.pb").write_bytes(b"")
    with pytest.raises(OSError, match="written by TensorFlow"):
        tf.saved_model.load(tmp_path)


# ---- files that were damaged, or made to do harm


def test_every_cut_and_flip_is_found(saved: Path) -> None:
    data = (saved / FILE).read_bytes()
    draw = random.Random(0)
    for _ in range(60):
        at = draw.randrange(len(data))
        for damaged in (data[:at], data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1 :]):
            (saved / FILE).write_bytes(damaged)
            with pytest.raises(OSError, match="Cannot parse file"):
                tf.saved_model.load(saved)


def places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Each container of a document, with a key of it."""
    for key in list(tree) if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else ():
        yield tree, key
        yield from places(tree[key])


@pytest.mark.parametrize("seed", range(150))
def test_made_up_documents_load_or_are_refused(saved: Path, seed: int) -> None:
    draw = random.Random(seed)

    def change(document: Any) -> None:
        holder, key = draw.choice(list(places(document)))
        others = [None, -1, 0, 1, 10**12, 1.5, "x", "__class__", [], {}, {"tuple": []}, {"array": 0}, {"body": 0}, {"tensor": [0, 0, 0]}]
        holder[key] = copy.deepcopy(draw.choice([*others, draw.choice([h[k] for h, k in places(document)])]))

    rewrite(saved, change)
    try:
        loaded = tf.saved_model.load(saved)
    except OSError as error:
        assert "SavedModel" in str(error) or "Cannot parse" in str(error) or "version" in str(error)
    else:
        assert hasattr(loaded, "signatures")


@pytest.mark.parametrize("name", ["../net.py", "/etc/passwd", "..", ""])
def test_assets_stay_in_their_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "words.txt").write_text("a")
    module = tf.Module()
    module.asset = tf.saved_model.Asset(tmp_path / "words.txt")
    tf.saved_model.save(module, tmp_path / "net")

    def change(document: Any) -> None:
        next(about for about in document["objects"] if about["is"] == "asset")["file"] = name

    rewrite(tmp_path / "net", change)
    with pytest.raises(OSError, match="lies outside"):
        tf.saved_model.load(tmp_path / "net")


@pytest.mark.parametrize("name", ["__class__", "__dict__", "__getattribute__"])
def test_no_attribute_of_python(saved: Path, name: str) -> None:
    def change(document: Any) -> None:
        children = document["objects"][0]["children"]
        children[name] = children.pop("layers")

    rewrite(saved, change)
    with pytest.raises(OSError, match="Cannot parse file"):
        tf.saved_model.load(saved)


def test_graphs_that_hold_themselves(saved: Path) -> None:
    def change(document: Any) -> None:
        number = next(i for i, graph in enumerate(document["graphs"]) if any("body" in node[3] for node in graph["nodes"]))
        holder = next(node for node in document["graphs"][number]["nodes"] if "body" in node[3])
        document["bodies"][holder[3]["body"]["body"]][0] = number

    rewrite(saved, change)
    with pytest.raises(OSError, match="Cannot parse file"):
        tf.saved_model.load(saved)


@pytest.mark.parametrize("operation", ["EagerPyFunc", "NoSuchOperation"])
def test_operations_of_python_and_unknown_ones(saved: Path, operation: str) -> None:
    def change(document: Any) -> None:
        document["graphs"][0]["nodes"][-1][0] = operation

    rewrite(saved, change)
    with pytest.raises(OSError, match="Cannot parse file"):
        tf.saved_model.load(saved)


def test_another_version(saved: Path) -> None:
    rewrite(saved, lambda document: document.update(version=2))
    with pytest.raises(OSError, match="version 2"):
        tf.saved_model.load(saved)


# ---- nobody reads half of one


def test_a_save_that_fails_leaves_what_was(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (saved / FILE).read_bytes()

    def refuse(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", refuse)
    with pytest.raises(tf.errors.ResourceExhaustedError, match="No space left"):
        tf.saved_model.save(Net(), saved)
    assert [path.name for path in saved.iterdir()] == [FILE]
    assert (saved / FILE).read_bytes() == before


# ---- names of specs


def test_registered_specs() -> None:
    assert class_of_spec(name_of_spec(tf.RaggedTensorSpec)) is tf.RaggedTensorSpec
    with pytest.raises(ValueError, match="must have the form"):
        register("nodots")
    with pytest.raises(TypeError, match="Expected `name` to be a string"):
        register(3)  # type: ignore[arg-type]  # on purpose
    with pytest.raises(TypeError, match="to be a TypeSpec"):
        register("tests.Net")(Net)
    with pytest.raises(ValueError, match="already been registered with name"):
        register("tests.Other")(tf.TensorSpec)
    with pytest.raises(ValueError, match="No TypeSpec has been registered"):
        class_of_spec("tests.Nothing")


def test_a_loaded_signature_says_by_specs_what_it_gives(tmp_path: Path) -> None:
    class Module(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([None, 2])])
        def both(self, x: Any) -> Any:
            return {"out": x * 2.0, "sum": tf.reduce_sum(x)}

    module = Module()
    tf.saved_model.save(module, str(tmp_path), signatures=module.both)
    loaded = tf.saved_model.load(str(tmp_path))
    specs = {"out": tf.TensorSpec([None, 2], name="out"), "sum": tf.TensorSpec([], name="sum")}
    assert loaded.signatures["serving_default"].structured_outputs == loaded.both.concrete_functions[0].structured_outputs == specs
