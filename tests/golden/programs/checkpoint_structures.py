"""Checkpoints of lists, dicts, tuples and objects of several names: what is restored at once, later, or not at all."""

from __future__ import annotations

import collections
import copy
import os
import pickle
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, ours, raised, raises

FACE = "v2"


def _in_folder(check: Callable[[str], Any]) -> Callable[[], Any]:
    def answer() -> Any:
        with tempfile.TemporaryDirectory() as folder:
            return check(os.path.join(folder, "x"))

    return answer


def _named(tf: Any, path: str) -> list[Any]:
    return [[name, list(shape)] for name, shape in tf.train.list_variables(path) if not name.startswith("_")]


def _status(status: Any) -> list[str]:
    found = []
    for check in ("assert_consumed", "assert_existing_objects_matched", "assert_nontrivial_match"):
        try:
            getattr(status, check)()
            found.append("passes")
        except AssertionError:
            found.append("AssertionError")
    return found


def _held(thing: Any) -> Any:
    if isinstance(thing, dict):
        return {str(k): _held(v) for k, v in thing.items()}
    return [_held(v) for v in thing] if isinstance(thing, (list, tuple)) else thing.numpy() if hasattr(thing, "numpy") else thing


class _Kit:
    def __init__(self, tf: Any) -> None:
        self.tf = tf

    def v(self, value: float = 0.0) -> Any:
        return self.tf.Variable(float(value))

    def there_and_back(self, build: Callable[[bool], Any], look: Callable[[Any], Any]) -> Callable[[], Any]:
        """What `build(True)` holds, saved and restored into what `build(False)` gives."""

        def check(path: str) -> Any:
            written = self.tf.train.Checkpoint(**build(True)).write(path)
            target = self.tf.train.Checkpoint(**build(False))
            status = target.read(written)
            return [_named(self.tf, written), _held(look(target)), _status(status)]

        return _in_folder(check)


def structures(tf: Any) -> Answers:
    kit = _Kit(tf)
    v = kit.v
    point = collections.namedtuple("point", "x y")

    def number(full: bool) -> float:
        return 7.0 if full else 0.0

    return {
        "list": kit.there_and_back(lambda f: {"a": [v(number(f)), v(2 * number(f))]}, lambda c: c.a),
        "nested": kit.there_and_back(lambda f: {"a": [[v(number(f))], {"k": [v(2 * number(f))]}]}, lambda c: c.a),
        "tuple": kit.there_and_back(lambda f: {"a": (v(number(f)), [v(number(f))])}, lambda c: c.a),
        "named tuple": kit.there_and_back(lambda f: {"a": point(v(number(f)), v(2 * number(f)))}, lambda c: list(c.a)),
        "dict": kit.there_and_back(lambda f: {"a": {"k": v(number(f)), "l": {"m": v(2 * number(f))}}}, lambda c: c.a),
        "ordered dict": kit.there_and_back(lambda f: {"a": collections.OrderedDict(z=v(number(f)), b=v(3.0))}, lambda c: dict(c.a)),
        "list of numbers too": kit.there_and_back(lambda f: {"a": [1, v(number(f)), "s", None]}, lambda c: c.a),
        "dict of numbers too": kit.there_and_back(lambda f: {"a": {"n": 1, "v": v(number(f)), "s": "t"}}, lambda c: c.a),
        "empty": kit.there_and_back(lambda f: {"a": [], "b": {}, "v": v(number(f))}, lambda c: [c.a, c.b, c.v]),
        "list to shorter": kit.there_and_back(lambda f: {"a": [v(number(f)) for _ in range(3 if f else 2)]}, lambda c: c.a),
        "list to longer": kit.there_and_back(lambda f: {"a": [v(number(f)) for _ in range(2 if f else 3)]}, lambda c: c.a),
        "slash and dot in keys": kit.there_and_back(lambda f: {"a": {"k/1": v(number(f)), "k.2": v(number(f))}}, lambda c: c.a),
        "list to tuple": kit.there_and_back(lambda f: {"a": [v(7)] if f else (v(0),)}, lambda c: c.a),
        "list to dict": kit.there_and_back(lambda f: {"a": [v(7)] if f else {"0": v(0)}}, lambda c: c.a),
        "variable to nothing": kit.there_and_back(lambda f: {"v": v(7), **({"w": v(7)} if f else {})}, lambda c: c.v),
        "other names": kit.there_and_back(lambda f: {"v" if f else "w": v(number(f))}, lambda c: [0.0]),
    }


def shared(tf: Any) -> Answers:
    """Objects of several names are matched by any of them."""
    kit = _Kit(tf)
    v = kit.v

    def by_either(path: str) -> Any:
        w = v(5)
        written = tf.train.Checkpoint(a=w, b=w).write(path)
        found = []
        for names in (("a",), ("b",), ("a", "b")):
            target = tf.train.Checkpoint(**{name: v(0) for name in names})
            status = target.read(written)
            found.append([[getattr(target, n).numpy() for n in names], _status(status)])
        return [_named(tf, written), found]

    def deeper(path: str) -> Any:
        w = v(5)
        written = tf.train.Checkpoint(inner=tf.train.Checkpoint(v=w), z=[w]).write(path)
        x, y = v(0), v(0)
        first = _status(tf.train.Checkpoint(inner=tf.train.Checkpoint(v=x)).read(written))
        second = _status(tf.train.Checkpoint(z=[y]).read(written))
        return [_named(tf, written), x.numpy(), y.numpy(), first, second]

    def circle(path: str) -> Any:
        a, b = tf.train.Checkpoint(v=v(3)), tf.train.Checkpoint(v=v(4))
        a.b, b.a = b, a
        written = a.write(path)
        c = tf.train.Checkpoint(v=v(0))
        c.b = tf.train.Checkpoint(v=v(0))
        status = c.read(written)
        return [_named(tf, written), c.v.numpy(), c.b.v.numpy(), _status(status)]

    def part(path: str) -> Any:
        written = tf.train.Checkpoint(inner=tf.train.Checkpoint(v=v(5), w=v(6)), z=v(1)).write(path)
        target = tf.train.Checkpoint(inner=tf.train.Checkpoint(v=v(0)))
        status = target.read(written)
        return [target.inner.v.numpy(), _status(status), type(status.expect_partial()).__name__]

    return {name: _in_folder(check) for name, check in
            {"by either": by_either, "deeper": deeper, "circle": circle, "part": part}.items()}  # fmt: skip


def roots(tf: Any) -> Answers:
    kit = _Kit(tf)
    v = kit.v

    class Net(tf.Module):  # type: ignore[misc]
        def __init__(self, value: float) -> None:
            super().__init__()
            self.w, self.parts = v(value), [v(value), {"k": v(2 * value)}]

    def of_module(path: str) -> Any:
        written = tf.train.Checkpoint(Net(3.0)).write(path)
        net = Net(0.0)
        status = tf.train.Checkpoint(net).read(written)
        return [_named(tf, written), _held([net.w, net.parts]), _status(status)]

    def of_list(path: str) -> Any:
        written = tf.train.Checkpoint([v(3), v(4)]).write(path)
        target = [v(0), v(0)]
        return [_named(tf, written), _status(tf.train.Checkpoint(target).read(written)), _held(target)]

    def of_dict(path: str) -> Any:
        written = tf.train.Checkpoint({"a": v(3)}).write(path)
        target = {"a": v(0)}
        return [_named(tf, written), _status(tf.train.Checkpoint(target).read(written)), _held(target)]

    def and_names(path: str) -> Any:
        w = v(3)
        written = tf.train.Checkpoint(root=Net(3.0), more=w).write(path)
        return _named(tf, written)

    def clash(path: str) -> Any:
        checkpoint = tf.train.Checkpoint(root=Net(3.0), w=v(4))
        return [_named(tf, checkpoint.write(path)), tf.train.load_variable(path, "w/.ATTRIBUTES/VARIABLE_VALUE")]

    def same(path: str) -> Any:
        net = Net(3.0)
        return _named(tf, tf.train.Checkpoint(root=net, w=net.w).write(path))

    def replaced(path: str) -> Any:
        """An attribute set anew is restored, the old object no longer."""
        written = tf.train.Checkpoint(a=v(3)).write(path)
        target = tf.train.Checkpoint(a=v(0))
        old = target.a
        target.a = v(1)
        target.read(written)
        return [old.numpy(), target.a.numpy()]

    def made_later(path: str) -> Any:
        """What a root makes after the restore is restored, and what a checkpoint within another holds."""
        tf.train.Checkpoint(root=Net(3.0)).write(path)
        whole, within = tf.Module(), tf.Module()
        tf.train.Checkpoint(root=whole).read(path)
        whole.w = v(0)
        tf.train.Checkpoint(inner=tf.train.Checkpoint(root=Net(4.0))).write(path + "2")
        tf.train.Checkpoint(inner=tf.train.Checkpoint(root=within)).read(path + "2")
        within.w = v(0)
        return [whole.w.numpy(), within.w.numpy()]

    def deleted(path: str) -> Any:
        target = tf.train.Checkpoint(a=v(3), b=v(4))
        del target.a
        return _named(tf, target.write(path))

    return {
        "module": _in_folder(of_module),
        "list": raises(_in_folder(of_list)),
        "dict": raises(_in_folder(of_dict)),
        "empty tuple": raises(lambda: tf.train.Checkpoint(c=())),
        "root and names": _in_folder(and_names),
        "root and a name of its own": raises(_in_folder(clash), "root.w already exists"),
        "root and the same again": _in_folder(same),
        "replaced": _in_folder(replaced),
        "deleted": _in_folder(deleted),
        "made later": _in_folder(made_later),
    }


def deferred(tf: Any) -> Answers:
    """What is made after the restore is restored as it is made."""
    kit = _Kit(tf)
    v = kit.v

    def saved(path: str) -> str:
        net = tf.Module()
        net.w, net.more = v(5), {"k": v(6), "l": [v(7)]}
        return str(tf.train.Checkpoint(a=[v(1), v(2), [v(3)]], d={"k": v(4)}, net=net).write(path))

    def appended(path: str) -> Any:
        target = tf.train.Checkpoint(a=[])
        status = target.read(saved(path))
        target.a.append(v())
        target.a.extend([v(), []])
        target.a[2].append(v())
        return [_held(target.a), _status(status)]

    def added(path: str) -> Any:
        target = tf.train.Checkpoint(a=[])
        target.read(saved(path))
        target.a += [v()]
        target.a.append(v())
        return _held(target.a)

    def whole_list(path: str) -> Any:
        target = tf.train.Checkpoint()
        target.read(saved(path))
        target.a = [v(), v(), [v()]]
        return _held(target.a)

    def keyed(path: str) -> Any:
        target = tf.train.Checkpoint(d={})
        status = target.read(saved(path))
        target.d["k"] = v()
        target.d["other"] = v(9)
        return [_held(target.d), _status(status)]

    def updated(path: str) -> Any:
        target = tf.train.Checkpoint(d={})
        target.read(saved(path))
        target.d.update({"k": v()})
        return _held(target.d)

    def inner(path: str) -> Any:
        target = tf.train.Checkpoint()
        target.read(saved(path))
        net = tf.Module()
        net.w = v()
        target.net = net
        net.more = {}
        net.more["l"] = []
        net.more["l"].append(v())
        net.more["k"] = v()
        return _held([net.w, dict(net.more)])

    def by_second_name(path: str) -> Any:
        w = v(5)
        written = tf.train.Checkpoint(a=w, b=[w]).write(path)
        target = tf.train.Checkpoint(b=[])
        target.read(written)
        target.b.append(v())
        return _held(target.b)

    def last_restore_wins(path: str) -> Any:
        first = tf.train.Checkpoint(a=[v(1)]).write(path + "1")
        second = tf.train.Checkpoint(a=[v(2)]).write(path + "2")
        target = tf.train.Checkpoint(a=[])
        target.read(first)
        target.read(second)
        target.a.append(v())
        return _held(target.a)

    def wrong_shape(path: str) -> Any:
        target = tf.train.Checkpoint(a=[])
        target.read(saved(path))
        target.a.append(tf.Variable([1.0, 2.0]))
        return target.a[0].numpy()

    def kept_value(path: str) -> Any:
        """Restored once: a value assigned afterwards stays."""
        target = tf.train.Checkpoint(a=[v()])
        target.read(saved(path))
        target.a[0].assign(9.0)
        target.a.append(v())
        return _held(target.a)

    checks: tuple[Callable[[str], Any], ...] = (appended, added, whole_list, keyed, updated, inner, by_second_name, last_restore_wins, kept_value)
    def wrong_dtype(path: str) -> Any:
        target = tf.train.Checkpoint(a=[])
        target.read(saved(path))
        target.a.append(tf.Variable(1))
        return target.a[0].numpy()

    def wrong_shape_of_attribute(path: str) -> Any:
        target = tf.train.Checkpoint()
        target.read(tf.train.Checkpoint(v=v(3)).write(path))
        target.v = tf.Variable([1.0, 2.0])

    def second_object(path: str) -> Any:
        target = tf.train.Checkpoint()
        target.read(tf.train.Checkpoint(v=v(3)).write(path))
        target.v = v()
        target.v = v(8)
        return target.v.numpy()

    def two_restores(path: str) -> Any:
        target = tf.train.Checkpoint()
        target.read(tf.train.Checkpoint(v=v(3)).write(path + "1"))
        target.read(tf.train.Checkpoint(w=v(4)).write(path + "2"))
        target.v, target.w = v(), v()
        return [target.v.numpy(), target.w.numpy()]

    checks = (*checks, second_object, two_restores)
    return {check.__name__: _in_folder(check) for check in checks} | {
        "wrong_dtype": raises(_in_folder(wrong_dtype)),
        "wrong_shape": ours(raised("ValueError", says=("incompatible",)), raises(_in_folder(wrong_shape), "incompatible")),
        "wrong_shape_of_attribute": raises(_in_folder(wrong_shape_of_attribute), "incompatible"),
    }


def wrappers(tf: Any) -> Answers:
    """Lists, dicts and tuples held by a module or checkpoint."""
    kit = _Kit(tf)
    v = kit.v

    def held(thing: Any) -> Any:
        module = tf.Module()
        module.thing = thing
        return module.thing

    def refused(change: Callable[[Any], Any], thing: Any, path: str) -> Any:
        target = tf.train.Checkpoint(a=thing)
        change(target.a)
        return _named(tf, target.write(path))

    def popping(a: Any) -> None:
        a.append(v(1))
        a.pop()

    return {
        "a list is one": lambda: [isinstance(held([1]), list), held([1, 2]) == [1, 2], [1, 2] == held([1, 2]), len(held([1, 2]))],
        "a dict is one": lambda: [isinstance(held({}), dict), held({"a": 1}) == {"a": 1}, dict(held({"a": 1})), list(held({"a": 1}))],
        "a tuple is one": lambda: [isinstance(held((1,)), tuple), held((1, 2)) == (1, 2), held((1, 2))[1]],
        "shown": lambda: [repr(held([1, "a"])), repr(held({"a": 1})), repr(held((1, 2))), str(held([1]))],
        "slices": lambda: [held([1, 2, 3])[1:], held([1, 2]) + [3], [0] + held([1]), held([1]) * 2],
        "nest": lambda: tf.nest.flatten([held([1, {"b": 2, "a": 3}]), held({"z": 1, "y": [2]}), held((4, 5))]),
        "map": lambda: tf.nest.map_structure(lambda x: x + 1, held([1, [2]])),
        "a tensor": lambda: tf.constant(held([1.0, 2.0])).numpy(),
        "stacked": lambda: tf.stack(held([1.0, 2.0])).numpy(),
        "variables": lambda: sorted(x.numpy() for x in (lambda m: (setattr(m, "a", [v(1), {"k": (v(2), [v(3)])}]), m)[1])(
            tf.Module()).variables),
        "order": lambda: _order(tf, v),
        "appended later": lambda: _appended_later(tf, v),
        "int keys of variables": raises(_in_folder(lambda path: tf.train.Checkpoint(a={1: v(1)}).write(path))),
        "int keys of numbers": _in_folder(lambda path: _named(tf, tf.train.Checkpoint(a={1: 2}, v=v(1)).write(path))),
        "a list changed": raises(_in_folder(lambda path: refused(lambda a: a.pop(), [v(1), v(2)], path))),
        "a list sorted": _in_folder(lambda path: refused(lambda a: a.sort(), [], path)),
        "an item exchanged": raises(_in_folder(lambda path: refused(lambda a: a.__setitem__(0, v(3)), [v(1)], path))),
        "an item deleted": raises(_in_folder(lambda path: refused(lambda a: a.__delitem__(0), [v(1)], path))),
        "inserted": raises(_in_folder(lambda path: refused(lambda a: a.insert(0, v(3)), [v(1)], path))),
        "appended and popped": raises(_in_folder(lambda path: refused(popping, [], path))),
        "numbers popped": _in_folder(lambda path: refused(lambda a: a.pop(), [1, 2], path)),
        "a key deleted": raises(_in_folder(lambda path: refused(lambda a: a.pop("k"), {"k": v(1)}, path))),
        "a key exchanged": _in_folder(lambda path: refused(lambda a: a.__setitem__("k", v(2)), {"k": v(1)}, path)),
        "added by other ways": _in_folder(lambda path: refused(lambda a: a.__setitem__(0, v(1)), [1, v(2)], path)),
        "a key deleted by del": ours([], _in_folder(lambda path: refused(lambda a: a.__delitem__("k"), {"k": v(1)}, path))),
        "followed": lambda: _followed(tf),
        "changed from outside": raises(_in_folder(lambda path: _outside(tf, v, path))),
        "a copy": lambda: _held(copy.copy(held([1, 2]))),
        "a deep copy": lambda: _deep(tf, v),
    }


def _appended_later(tf: Any, v: Callable[[float], Any]) -> Any:
    module = tf.Module()
    module.a = []
    module.a.append(v(1))
    module.d = {}
    module.d["k"] = v(2)
    return [x.numpy() for x in module.trainable_variables]


def _order(tf: Any, v: Callable[[float], Any]) -> Any:
    """The attributes of a module by name, then its modules, one after another; what other objects hold is not its own."""
    module, inner, innermost = tf.Module(), tf.Module(), tf.Module()
    module.z, module.inner, module.a = v(1), inner, [v(2), {"y": v(3), "b": v(4)}, innermost]
    inner.w, inner.back, inner.innermost = v(5), module, innermost
    innermost.q = (v(6), v(7))
    module.checkpoint, module.b = tf.train.Checkpoint(c=v(8)), v(9)
    return [[x.numpy() for x in module.variables], [m is inner for m in module.submodules]]


def _followed(tf: Any) -> Any:
    """What the program gave and what it reads are one thing."""
    module, mine, named = tf.Module(), [[1]], {"x": [1]}
    module.a, module.d = mine, named
    mine.append(3)
    named["y"] = 2
    seen = [len(module.a), list(module.a), module.a == mine, dict(module.d)]
    module.a.append(4)
    module.d["z"] = 5
    return [*seen, mine[0] is module.a[0], list(mine), dict(named), type(module.a + [1]).__name__, type(module.a[:1]).__name__]


def _outside(tf: Any, v: Callable[[float], Any], path: str) -> Any:
    mine = [v(1)]
    target = tf.train.Checkpoint(a=mine)
    mine.append(v(2))
    return _named(tf, target.write(path))


def _deep(tf: Any, v: Callable[[float], Any]) -> Any:
    module = tf.Module()
    module.a = [v(1), {"k": v(2)}]
    other = copy.deepcopy(module)
    module.a[0].assign(9.0)
    return [_held(other.a), _held(module.a), len(other.trainable_variables)]


def generators(tf: Any) -> Answers:
    def continues(path: str) -> Any:
        g = tf.random.Generator.from_seed(7)
        g.normal([3])
        checkpoint = tf.train.Checkpoint(g=g)
        written = checkpoint.write(path)
        then = g.normal([2]).numpy()
        other = tf.random.Generator.from_seed(1)
        status = tf.train.Checkpoint(g=other).read(written)
        return [_named(tf, written), then, other.normal([2]).numpy(), _status(status)]

    def another_algorithm(path: str) -> Any:
        written = tf.train.Checkpoint(g=tf.random.Generator.from_seed(7, alg="threefry")).write(path)
        tf.train.Checkpoint(g=tf.random.Generator.from_seed(1, alg="philox")).read(written)

    def in_module(path: str) -> Any:
        module = tf.Module()
        module.g = tf.random.Generator.from_seed(3)
        return [_named(tf, tf.train.Checkpoint(module).write(path)), len(module.variables), len(module.trainable_variables)]

    return {
        "continues": _in_folder(continues),
        "another algorithm": raises(_in_folder(another_algorithm)),
        "in a module": _in_folder(in_module),
    }


def copies(tf: Any) -> Answers:
    def pickled(v: Any) -> Any:
        w = pickle.loads(pickle.dumps(v))
        return [w.numpy(), w.name, w.trainable, w.dtype, type(w) is type(v)]

    def deep(v: Any) -> Any:
        w = copy.deepcopy(v)
        before = v.numpy()
        w.assign_add(tf.ones_like(w))
        return [before, v.numpy(), w.numpy(), w.name, w.trainable, w.dtype, str(w.shape), w is v]

    def deep_structure() -> Any:
        v = tf.Variable(1.0)
        both = copy.deepcopy([v, v])
        return [both[0] is both[1], both[0].numpy()]

    def deep_constraint() -> Any:
        v = tf.Variable(1.0, constraint=tf.nn.relu, shape=tf.TensorShape(None), name="c")
        w = copy.deepcopy(v)
        return [w.constraint is v.constraint, str(w.shape), w.name]

    def in_function() -> Any:
        return tf.function(lambda v=tf.Variable(1.0): copy.deepcopy(v))()

    return {
        "pickle": lambda: pickled(tf.Variable([1.0, 2.0], name="v", trainable=False)),
        "pickle of a list": lambda: pickle.loads(pickle.dumps([tf.Variable(1)]))[0].numpy(),
        "pickle of a tensor": lambda: pickle.loads(pickle.dumps(tf.constant([1.0, 2.0]))),
        "pickle of more": lambda: (lambda w: [w.name, str(w.shape), w.trainable, w.constraint is None])(
            pickle.loads(pickle.dumps(tf.Variable([1], shape=[None], name="more", synchronization=tf.VariableSynchronization.ON_READ)))),
        "pickle of strings": lambda: pickle.loads(pickle.dumps(tf.constant(["a", "b"]))),
        "deepcopy": lambda: deep(tf.Variable([1.0, 2.0], name="v", trainable=False)),
        "deepcopy of integers": lambda: deep(tf.Variable([1, 2])),
        "deepcopy of a list": deep_structure,
        "deepcopy, constraint": deep_constraint,
        "deepcopy in a function": raises(in_function),
        "copy": lambda: (lambda v: [copy.copy(v).numpy(), copy.copy(v) is v])(tf.Variable(2.0)),
        "copy shares": lambda: (lambda v, w: [w.assign(5.0).numpy(), v.numpy()])(*(lambda v: (v, copy.copy(v)))(tf.Variable(2.0))),
        "deepcopy of a tensor": lambda: copy.deepcopy(tf.constant([1.0, 2.0])),
        "deepcopy of a generator": lambda: type(copy.deepcopy(tf.random.Generator.from_seed(1))).__name__,
        "pickle of a shape": lambda: str(pickle.loads(pickle.dumps(tf.TensorShape([1, None])))),
        "pickle of a dtype": lambda: pickle.loads(pickle.dumps(tf.float32)),
        "pickle of an array": lambda: np.asarray(pickle.loads(pickle.dumps(tf.constant([1.0]).numpy()))),
        "pickle of a spec": lambda: str(pickle.loads(pickle.dumps(tf.TensorSpec([1], tf.int32)))),
    }


def order(tf: Any) -> Answers:
    """A module's attributes are held in the order in which they were set."""

    def module() -> Any:
        root = tf.Module()
        root.b, root.a = tf.Variable(5.0), [tf.Variable(1.0), tf.Variable(2.0)]
        root.leaf = tf.Module()
        root.leaf.z, root.leaf.y = tf.Variable(3.0), tf.Variable(4.0)
        return root

    def numbered() -> Any:
        with tempfile.TemporaryDirectory() as folder:
            view = tf.train.CheckpointView(tf.train.Checkpoint(m=module()).write(f"{folder}/c"))
        return [list(view.children(i).items()) for i in view.descendants()]

    return {
        "held": lambda: list(tf.train.TrackableView.children(module())),
        "numbered": numbered,
        "variables": lambda: [v.numpy() for v in module().variables],
    }
