"""`tf.saved_model`: what comes back of objects, functions and signatures that were saved, and the gradients through them."""

from __future__ import annotations

import collections
import os
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, ours, raises

FACE = "v2"
Pair = collections.namedtuple("Pair", "a b")  # noqa: PYI024  # as programs have them


_KEPT: list[Any] = []  # TensorFlow's functions do not keep the variables that they read


def _again(tf: Any, module: Any, **more: Any) -> Any:
    """What comes back of a module."""
    folder = tempfile.mkdtemp()
    tf.saved_model.save(module, folder, **more)
    _KEPT.append(tf.saved_model.load(folder))
    return _KEPT[-1]


def _function(tf: Any, python: Callable[..., Any], *specs: Any, **held: Any) -> Any:
    """What comes back of a function of a signature, in a module that holds other things."""
    module = tf.Module()
    for name, thing in held.items():
        setattr(module, name, thing)
    module.f = tf.function(python, input_signature=specs)
    return _again(tf, module)


def _derivatives(tf: Any, f: Callable[[Any], Any], x: Any) -> list[Any]:
    """The value, the gradient and the gradient of that."""
    x = tf.constant(x)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        first = inner.gradient(y, x)
    return [y, first, None if first is None else outer.gradient(first, x)]


def _first(tf: Any, f: Callable[[Any], Any], x: Any) -> list[Any]:
    """The value and the gradient."""
    x = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return [y, tape.gradient(y, x)]


def objects(tf: Any) -> Answers:
    class Net(tf.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(name="net")
            self.v = tf.Variable(2.0, name="vv")
            self.fixed = tf.Variable([1, 2], trainable=False)
            self.words = tf.Variable(["a", "b"])
            self.listed = [tf.Variable(1.0), {"a": tf.Variable(3.0)}, 5]
            self.pair = (tf.Variable(1.0), tf.Variable(2.0))
            self.named = {"k": tf.Variable(7.0), "n": 3}
            self.constant, self.number = tf.constant([1.0, 2.0]), 3
            self.shared = self.v
            self.inner = tf.Module()
            self.inner.w = tf.Variable(tf.zeros([2, 3], tf.float16))
            self.open = tf.Variable([1.0], shape=[None])

        @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
        def f(self, x: Any) -> Any:
            return x * self.v + self.constant[0]

        @tf.function
        def set(self, x: Any) -> Any:
            self.v.assign(x)
            return self.v.read_value()

        @tf.function
        def never(self, x: Any) -> Any:
            return x

        @tf.function
        def __call__(self, x: Any) -> Any:
            return x * 3.0

    net = Net()
    net.set(tf.constant(2.0))
    net(tf.constant(1.0))
    loaded = _again(tf, net)
    found = [loaded.v, loaded.fixed, loaded.words, loaded.open, loaded.inner.w]

    def missing(name: str) -> Any:
        return raises(lambda: getattr(loaded, name))

    def written() -> Any:
        before = loaded.f(tf.constant([1.0]))
        loaded.set(tf.constant(5.0))
        after = loaded.f(tf.constant([1.0]))
        loaded.v.assign(2.0)
        return before, after, net.v

    def trained() -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(loaded.f(tf.constant([1.0, 2.0])) ** 2)
        watched = tape.watched_variables()
        return [v.name for v in watched], tape.gradient(loss, watched)

    return {
        "values": [v.numpy() for v in found],
        "names": [v.name for v in found],
        "trainable": [v.trainable for v in found],
        "shapes": [v.shape for v in found],
        "shared": lambda: loaded.shared is loaded.v,
        "list": lambda: [loaded.listed[0], loaded.listed[1]["a"], len(loaded.listed)],
        "pair": lambda: [list(loaded.pair), isinstance(loaded.pair, list)],
        "dict": lambda: dict(loaded.named),
        **{f"no {name}": missing(name) for name in ("number", "constant", "name", "variables", "f_not", "plain")},
        "f": lambda: loaded.f(tf.constant([1.0, 2.0])),
        "f of a list": lambda: loaded.f([1.0, 2.0]),
        "f of an array": lambda: loaded.f(np.array([1.0, 2.0])),
        "f of integers": raises(lambda: loaded.f(tf.constant([1]))),
        "f of another shape": raises(lambda: loaded.f(tf.constant([[1.0]]))),
        "called": lambda: loaded(tf.constant(2.0)),
        "a number": lambda: [loaded(2.0), loaded(2), loaded(np.float32(2.0))],
        "another shape": raises(lambda: loaded(tf.constant([2.0])), "Could not find matching concrete function"),
        "another dtype": raises(lambda: loaded(tf.constant(2)), "Could not find matching concrete function"),
        "never traced": raises(lambda: loaded.never(1.0), "Found zero restored functions"),
        "written": written,
        "trained": trained,
        "callable": lambda: [callable(loaded), callable(loaded.inner)],
        "traces": lambda: [len(loaded.f.concrete_functions), len(loaded.never.concrete_functions)],
        "signature of f": lambda: [list(spec.shape) for spec in loaded.f.input_signature],
        "saved again": lambda: _again(tf, loaded).f(tf.constant([4.0])),
        "in a function": lambda: tf.function(lambda x: loaded.f(x) + loaded(x[0]))(tf.constant([1.0, 2.0])),
        "under another name": lambda: _again(tf, _holder(tf, loaded)).inside.f(tf.constant([4.0])),
    }


def _holder(tf: Any, thing: Any) -> Any:
    module = tf.Module()
    module.inside = thing
    return module


def arguments(tf: Any) -> Answers:
    class Other:
        pass

    module = tf.Module()
    module.g = tf.function(lambda x, y=2, *, flip=False: {"r": x - y, "s": [x]} if flip else {"r": x + y, "s": [x]})
    one, pair = tf.constant(1.0), tf.constant([1.0, 2.0])
    module.g(one)
    module.g(one, 3)
    module.g(pair, y=tf.constant(2.0), flip=True)
    module.nested = tf.function(lambda d, l: (d["b"] - d["a"], [l[0] * l[1]], None, []))
    module.nested({"a": one, "b": one}, [one, pair])
    module.named = tf.function(lambda p: Pair(p.a, p.b * 2.0))
    module.named(Pair(one, pair))
    module.rest = tf.function(lambda x, *args, k=1, **more: x + args[0] + k + more["z"])
    module.rest(one, 1.0, 2, k=3.0, z=4.0)
    module.objects = tf.function(lambda x, o: x)
    module.objects(one, Other())
    module.objects(one, "word")
    module.ragged = tf.function(lambda x: x.with_values(x.values * 2.0), input_signature=[tf.RaggedTensorSpec([None, None])])
    module.sparse = tf.function(lambda x: (x, tf.sparse.to_dense(x)), input_signature=[tf.SparseTensorSpec([None, 3])])
    module.slices = tf.function(lambda x: tf.IndexedSlices(x, tf.constant([0]), tf.constant([3])))
    module.slices(tf.constant([5.0]))
    module.trace = tf.function(lambda x: x * 2.0).get_concrete_function(tf.TensorSpec([None], tf.float32))
    loaded = _again(tf, module)

    return {
        "default": lambda: loaded.g(one),
        "given": lambda: loaded.g(one, 3),
        "by name": lambda: loaded.g(one, y=3),
        "tensor and flag": lambda: loaded.g(pair, tf.constant(2.0), flip=True),
        "another number": raises(lambda: loaded.g(one, 4), "Could not find matching concrete function"),
        "another flag": raises(lambda: loaded.g(one, flip=True)),
        "too many": raises(lambda: loaded.g(one, 2, 3)),
        "too few": raises(lambda: loaded.g()),
        "nested": lambda: loaded.nested({"a": one, "b": one * 2.0}, [one, pair]),
        "nested otherwise": raises(lambda: loaded.nested({"a": one, "b": one}, (one, pair, one))),
        "named": lambda: list(loaded.named(Pair(one, pair))),
        "named result": lambda: type(loaded.named(Pair(one, pair))).__name__,
        "rest": lambda: loaded.rest(one, 1.0, 2, k=3.0, z=4.0),
        "rest without one": raises(lambda: loaded.rest(one, 1.0, 2, k=3.0)),
        "a trace without its object": lambda: [loaded.objects(one, "word"), len(loaded.objects.concrete_functions)],
        "ragged": lambda: loaded.ragged(tf.ragged.constant([[1.0, 2.0], [3.0], []])).to_list(),
        "sparse": lambda: [loaded.sparse(tf.sparse.from_dense([[0.0, 1.0, 0.0]]))[0].indices, loaded.sparse(tf.sparse.eye(2, 3))[1]],
        "slices": lambda: tf.convert_to_tensor(loaded.slices(tf.constant([5.0]))),
        "a trace": lambda: [loaded.trace(pair), loaded.trace(x=pair)],
        "a trace of integers": raises(lambda: loaded.trace(tf.constant([1]))),
        "the trace asked for": lambda: loaded.g.get_concrete_function(tf.TensorSpec([]))(one),
        "no such trace": raises(lambda: loaded.g.get_concrete_function(tf.TensorSpec([7]))),
    }


def signatures(tf: Any) -> Answers:
    spec = tf.TensorSpec([None], tf.float32)
    two = tf.function(lambda a, b: {"sum": a + b[0], "product": a * b[1]})
    module = tf.Module()
    module.v = tf.Variable(3.0)
    module.f = tf.function(lambda x: x * module.v, input_signature=[spec])
    named = two.get_concrete_function(tf.TensorSpec([], name="first"), [tf.TensorSpec([]), tf.TensorSpec([])])
    nested = tf.function(lambda d, l: d["q"] - d["p"] + l[0] * l[1]).get_concrete_function(
        {"q": tf.TensorSpec([]), "p": tf.TensorSpec([])}, [tf.TensorSpec([]), tf.TensorSpec([])]
    )
    fixed = tf.function(lambda x, n: [x, x * n]).get_concrete_function(spec, 4)
    loaded = _again(tf, module, signatures={"serving_default": module.f, "two": named, "nested": nested, "fixed": fixed})
    by = loaded.signatures
    x = tf.constant([1.0, 2.0])

    def only(**functions: Any) -> Any:
        holder = tf.Module()
        for name, function in functions.items():
            setattr(holder, name, function)
        return sorted(_again(tf, holder).signatures)

    def refuse(given: Any) -> Any:
        return raises(lambda: _again(tf, tf.Module(), signatures=given))

    def traced(python: Any) -> Any:
        return tf.function(python).get_concrete_function(tf.TensorSpec([]))

    untraced = tf.function(lambda x: x)

    def gradient() -> Any:
        with tf.GradientTape() as tape:
            y = by["serving_default"](x)["output_0"]
        return tape.gradient(y, loaded.v)

    def tagged(tags: Any) -> Any:
        folder = tempfile.mkdtemp()
        tf.saved_model.save(module, folder)
        _KEPT.append(tf.saved_model.load(folder, tags=tags))
        return _KEPT[-1].f(x)

    return {
        "keys": sorted(by),
        "positional": lambda: by["serving_default"](x),
        "by name": lambda: by["serving_default"](x=x),
        "other name": raises(lambda: by["serving_default"](y=x)),
        "nothing": raises(lambda: by["serving_default"]()),
        "other dtype": raises(lambda: by["serving_default"](x=tf.constant([1]))),
        "specs": lambda: {key: sorted(f.structured_input_signature[1]) for key, f in by.items()},
        "results": lambda: {key: sorted(f.structured_outputs) for key, f in by.items()},
        "two": lambda: by["two"](first=tf.constant(1.0), b=tf.constant(2.0), b_1=tf.constant(3.0)),
        "nested": lambda: by["nested"](d=tf.constant(1.0), d_1=tf.constant(5.0), l=tf.constant(2.0), l_1=tf.constant(3.0)),
        "fixed": lambda: by["fixed"](x=x),
        "gradient": gradient,
        "variables": lambda: [v.name for v in by["serving_default"].variables],
        "none": lambda: sorted(_again(tf, tf.Module()).signatures),
        "the only function": only(f=tf.function(lambda x: x, input_signature=[spec]), g=tf.function(lambda x: x)),
        "of two functions": only(f=tf.function(lambda x: x, input_signature=[spec]), g=tf.function(lambda x: x, input_signature=[spec])),
        "that gives a list of lists": only(f=tf.function(lambda x: [[x]], input_signature=[spec])),
        "that gives nothing": only(f=tf.function(lambda x: None, input_signature=[spec])),
        "a trace": only(f=traced(lambda x: x)),
        "not traced": refuse(untraced),
        "a number": refuse(3),
        "Python": refuse({"f": lambda x: x}),
        "nested results": refuse(traced(lambda x: (x, [x]))),
        "tags": lambda: [tagged("serve"), tagged(["serve"]), tagged({"serve"}), tagged(None)],
        "other tags": raises(lambda: tagged(["gpu"]), "incompatible argument to `tags`"),
        "changed": raises(lambda: by.update({})),
    }


def bodies(tf: Any) -> Answers:
    scalar, vector = tf.TensorSpec([]), tf.TensorSpec([None])

    @tf.custom_gradient
    def halved(x: Any) -> Any:
        return x * x, lambda g: g * x

    @tf.custom_gradient
    def scaled(x: Any) -> Any:
        def gradient(g: Any, variables: Any) -> Any:
            return g * 10.0 * v, [tf.reduce_sum(g * x) * 100.0]

        return x * v, gradient

    v = tf.Variable(2.0)

    @tf.custom_gradient
    def read_by_gradient(x: Any) -> Any:
        return x * 2.0, lambda g: g * v

    def looped(x: Any) -> Any:
        total = tf.zeros_like(x)
        for i in tf.range(4):
            total += x ** tf.cast(i, tf.float32)
            if tf.reduce_sum(total) > 100.0:
                break
        return total

    def while_loop(x: Any) -> Any:
        return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.sin(y) * x), [0, x])[1]

    def branched(x: Any) -> Any:
        return x * x if tf.reduce_sum(x) > 0.0 else -x

    def switched(x: Any) -> Any:
        return tf.switch_case(tf.cast(x, tf.int32), [lambda: x**2, lambda: x**3, lambda: tf.exp(x)])

    def rows(x: Any) -> Any:
        return tf.map_fn(lambda row: row**3, x)

    def written(x: Any) -> Any:
        array = tf.TensorArray(tf.float32, 3)
        for i in range(3):
            array = array.write(i, x * float(i))
        return tf.reduce_sum(array.stack() ** 2)

    inner = tf.function(lambda x: tf.sin(x) * v)

    def nested(x: Any) -> Any:
        return inner(x) + inner(2.0 * x)

    def gradient_inside(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = while_loop(x)
        return tape.gradient(y, x)

    def counted(x: Any) -> Any:
        v.assign_add(x)
        return v + 0.0

    def shapes(x: Any) -> Any:
        return tf.reshape(x, [-1, tf.shape(x)[0]]), tf.concat([x, x[::-1]], 0)

    table = np.arange(6.0, dtype=np.float32).reshape(3, 2)
    programs = {
        "looped": (looped, vector, [2.0, 3.0]),
        "while": (while_loop, scalar, 0.7),
        "branched": (branched, vector, [2.0, 3.0]),
        "branched otherwise": (branched, vector, [-2.0, -3.0]),
        "switched": (switched, scalar, 1.5),
        "rows": (rows, vector, [1.0, 2.0]),
        "array": (written, scalar, 3.0),
        "nested": (nested, scalar, 0.5),
        "gradient inside": (gradient_inside, scalar, 0.7),
        "custom gradient": (lambda x: halved(3.0 * x), scalar, 2.0),
        "custom gradient of a variable": (scaled, scalar, 2.0),
        "gathered": (lambda x: tf.reduce_sum(tf.gather(tf.constant(table), [0, 2]) * x), scalar, 2.0),
        "products": (lambda x: tf.linalg.matmul(tf.constant(table) * x, tf.constant(table) * x, transpose_b=True), scalar, 2.0),
        "stopped": (lambda x: tf.stop_gradient(x) * x, scalar, 2.0),
    }

    def asked(name: str) -> Callable[[], Any]:
        python, spec, at = programs[name]
        return lambda: _derivatives(tf, _function(tf, python, spec, v=v).f, at)

    def of_variable() -> Any:
        loaded = _function(tf, scaled, scalar, v=v)
        with tf.GradientTape() as tape:
            y = loaded.f(2.0)
        return tape.gradient(y, loaded.v)

    def differentiated() -> Any:
        """A function whose gradient was taken before it was saved."""
        module = tf.Module()
        module.f = tf.function(while_loop, input_signature=[scalar])
        before = _derivatives(tf, module.f, 0.7)
        return before, _derivatives(tf, _again(tf, module).f, 0.7), _derivatives(tf, _again(tf, _again(tf, module)).f, 0.7)

    def twice() -> Any:
        loaded = _function(tf, counted, scalar, v=tf.Variable(1.0), w=v)
        return loaded.f(1.0), loaded.f(2.0)

    def random() -> Any:
        loaded = _function(tf, lambda x: tf.random.stateless_uniform([2], [1, 2]) * x, scalar)
        return loaded.f(2.0), tf.random.stateless_uniform([2], [1, 2]) * 2.0

    def branch_of(function: Any) -> Any:
        return _derivatives(tf, _function(tf, lambda x: tf.cond(x > 0.0, lambda: function(x), lambda: x), scalar).f, 2.0)

    def words() -> Any:
        loaded = _function(tf, lambda x: tf.strings.join([x, tf.constant(["b", "c"])], "-"), tf.TensorSpec([2], tf.string))
        return loaded.f(["x", "y"])

    def checked() -> Any:
        def python(x: Any) -> Any:
            tf.debugging.assert_positive(x, message="must be positive")
            return x

        return _function(tf, python, scalar).f(-1.0)

    return {
        **{name: asked(name) for name in programs},
        "with respect to the variable": of_variable,
        "a gradient that alone reads a variable": lambda: _first(tf, _function(tf, read_by_gradient, scalar, v=v).f, 2.0),
        "differentiated before": differentiated,
        "custom gradient in a branch": ours(True, lambda: [float(x) for x in branch_of(halved)] == [4.0, 2.0, 1.0]),
        "recomputed": lambda: _first(tf, _function(tf, tf.recompute_grad(lambda y: tf.sin(y) ** 2), scalar).f, 2.0),
        "written to": twice,
        "random": random,
        "words": words,
        "shapes": lambda: _function(tf, shapes, tf.TensorSpec([None, 3])).f(tf.ones([2, 3])),
        "complex": lambda: _function(tf, lambda x: tf.complex(x, 1.0) * 2j, scalar).f(2.0),
        "half": lambda: _function(tf, lambda x: tf.cast(x, tf.bfloat16) * 2, scalar).f(2.0),
        "checked": raises(checked, "must be positive"),
        "without a gradient": lambda: _first(tf, _function(tf, tf.round, scalar).f, 2.5),
    }


def resources(tf: Any) -> Answers:
    folder = tempfile.mkdtemp()
    with open(os.path.join(folder, "words.txt"), "w") as file:
        file.write("a\nb\n")
    module = tf.Module()
    module.asset = tf.saved_model.Asset(os.path.join(folder, "words.txt"))
    module.read = tf.function(lambda: tf.io.read_file(module.asset), input_signature=[])
    module.table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), -1)
    module.look = tf.function(lambda x: module.table.lookup(x), input_signature=[tf.TensorSpec([None], tf.string)])
    tf.saved_model.save(module, os.path.join(folder, "saved"))
    os.remove(os.path.join(folder, "words.txt"))
    loaded = tf.saved_model.load(os.path.join(folder, "saved"))
    free = tf.Variable(1.0)

    def garbage() -> Any:
        place = tempfile.mkdtemp()
        for name in ("saved_model.pb", "saved_model.safetensors"):
            with open(os.path.join(place, name), "wb") as file:
                file.write(b"garbage garbage")
        return tf.saved_model.load(place)

    def inside() -> Any:
        @tf.function
        def f() -> Any:
            tf.saved_model.save(tf.Module(), folder)

        f()

    def moved() -> Any:
        holder = tf.Module()
        holder.listed = [tf.Variable(1.0)]
        holder.listed[0] = tf.Variable(2.0)
        return _again(tf, holder)

    return {
        "asset": lambda: os.path.relpath(loaded.asset.asset_path.numpy().decode(), folder),
        "read": lambda: loaded.read(),
        "assets": lambda: os.listdir(os.path.join(folder, "saved", "assets")),
        "looked up": lambda: loaded.look(["b", "z"]),
        "contains": lambda: [tf.saved_model.contains_saved_model(os.path.join(folder, name)) for name in ("saved", "other")],
        "nothing there": raises(lambda: tf.saved_model.load(os.path.join(folder, "other")), "SavedModel file does not exist at"),
        "garbage": raises(garbage, "Cannot parse file"),
        "untracked": raises(lambda: _function(tf, lambda x: x * free, tf.TensorSpec([])), "untracked"),
        "an object": raises(lambda: _again(tf, object()), "Expected an object of type `Trackable`"),
        "a list": raises(lambda: _again(tf, [free]), "Expected an object of type `Trackable`"),
        "inside a function": raises(inside, "not supported inside a traced @tf.function"),
        "moved": raises(moved, "Unable to save the object"),
        "number for a key": raises(lambda: _again(tf, _keyed(tf))),
        "constants": lambda: [tf.saved_model.SERVING, tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY, tf.saved_model.ASSETS_DIRECTORY],
    }


def _keyed(tf: Any) -> Any:
    module = tf.Module()
    module.keyed = {1: tf.Variable(1.0)}
    return module
