"""`import pullback` loads what nearly every program uses, a program the rest of what it uses, and nobody sees that names load late."""

import json

import pytest

import pullback
from tests.native_kit import needs_layout
from tests.programs import python

IMPORT = "import pullback as tf\n"
GRADIENT = """
x, w = tf.constant([[1.0, 2.0, 3.0]]), tf.Variable(tf.ones([3, 3]))
def loss_gradient():
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.tanh(x @ w) * 2 + tf.nn.relu(x) - x[:, 0:1] / 2.0)
    return tape.gradient(loss, w)
"""
EAGER = IMPORT + GRADIENT + "loss_gradient()\n"
TRACED = IMPORT + GRADIENT + "tf.function(loss_gradient)()\n"
COMPILED = IMPORT + GRADIENT + "import os; os.environ['PULLBACK_CACHE'] = '0'; tf.function(loss_gradient, jit_compile=True)()\n"


def loaded(program: str) -> list[str]:
    done = python("-c", f"{program}\nimport sys, json\nprint(json.dumps(sorted(sys.modules)))")
    assert done.returncode == 0, done.stderr
    found: list[str] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(("program", "most"), [(IMPORT, 142), (EAGER, 148), (TRACED, 180)], ids=["import", "eager", "traced"])
def test_few_modules_are_loaded(program: str, most: int) -> None:
    found = loaded(program)
    assert len([name for name in found if name.partition(".")[0] == "pullback"]) <= most
    slow = {"scipy", "llvmlite", "tensorboardX", "safetensors", "malt", "PIL", "re2", "google", "tensorflow", "asyncio", "unittest"}
    assert not slow & {name.partition(".")[0] for name in found}
    engine = "pullback.engine.lower", "pullback.engine.emission"
    late = ("pullback.compat.v1", "pullback.tensorflow.legacy", *engine, "keras", "pullback.tensorflow.ragged")
    assert [name for name in found if name.startswith(late)] == []


@needs_layout
def test_compiling_loads_none_of_llvmlites_declarations() -> None:
    pytest.importorskip("llvmlite")
    found = loaded(COMPILED)
    assert "pullback.engine.runtime.llvm_library" in found
    assert [name for name in found if name.startswith(("llvmlite.binding", "llvmlite.ir"))] == []


def test_a_loss_loads_no_activations_and_no_rules_of_batching() -> None:
    found = loaded("import pullback as tf; tf.nn.sparse_softmax_cross_entropy_with_logits([1], [[0.0, 1.0]])")
    assert "pullback.ops.nn.softmax" in found
    assert not {"pullback.ops.nn.activations", "pullback.ops.vmap_rules.base", "pullback.ops.effects.operations"}.intersection(found)


def test_first_face_loads_nothing_slow() -> None:
    assert not {"scipy", "llvmlite"} & {name.partition(".")[0] for name in loaded("import pullback.compat.v1 as tf; tf.Session; tf.train")}


def test_names_that_load_late_are_listed() -> None:
    assert set(pullback.compat.v2.__all__) <= set(dir(pullback.compat.v2))
    assert set(pullback.__all__) <= set(dir(pullback))
    assert "sin" in python("-c", "import pullback; print(dir(pullback.math))").stdout


def test_star_gives_every_name() -> None:
    text = "from pullback import *\nimport pullback, sys\nsys.stdout.write(repr(set(pullback.__all__) - set(globals())))"
    done = python("-c", text)
    assert done.stdout == "set()", done.stderr


def test_packages_of_the_source_do_not_take_the_place_of_namespaces() -> None:
    text = "import pullback.nn.losses, pullback.train.files, pullback as tf\nprint(tf.nn.__name__, tf.train.__name__)"
    assert python("-c", text).stdout.split() == ["pullback.compat.v2.nn", "pullback.compat.v2.train"]


# NumPy's ufuncs have no signature before 2.4.
NO_SIGNATURES = """
import inspect, numpy as np
signature = inspect.signature
def refusing(function, **how):
    if isinstance(inspect.unwrap(function), np.ufunc):
        raise ValueError(f"callable {function!r} is not supported by signature")
    return signature(function, **how)
inspect.signature = refusing
from pullback.ops.all_operations import load_operations
import pullback as tf
print(len(load_operations()) > 500, float(tf.exp(tf.sign(tf.constant(0.0)))))
"""


def test_ufuncs_need_no_signature() -> None:
    done = python("-c", NO_SIGNATURES)
    assert done.stdout.split() == ["True", "1.0"], done.stderr
